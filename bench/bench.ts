// What every row of the benchmark is given: how much to measure, the data, and where figures go. A row
// is a file in rows/ with one idea; run.ts calls them one after the other.
// decisions/2026-11-21-benchmark.md
import { type FilledFolder, type Filling, filledFolder } from './data/filled-store.ts'
import type { Sample } from './data/sample.ts'
import type { Figure } from './report/figure.ts'
import type { RoundOptions } from './timing/rounds.ts'

export type Scale = {
  /** Memories of one space, smallest first. */
  sizes: readonly number[]
  /** Real texts that are embedded; further memories are made of them. */
  embedded: number
  /**
   * Queries of a round. The first comes after a pause, to cold caches: among a hundred it would decide the
   * p99 together with one more.
   */
  queries: number
  rounds: RoundOptions
  /** Of a hundred memories each. */
  spaces: number
  /** Memories of a store whose memories have several sentences. */
  severalSizes: readonly number[]
  /** Memories that the exact ranking is compared among. */
  recallSizes: readonly number[]
  /** Creates of a round, with the model left out. */
  creates: number
  /** Creates of a round with the real model. */
  embeddedCreates: number
  /** Of load that is mixed. */
  loadMs: number
  /** Texts of each length that are embedded, as a share of a full run. */
  embeddingShare: number
  /** Of a server, of which the median is taken. */
  starts: number
  /** Sizes at which the peers are asked. */
  peerSizes: readonly number[]
  peerRounds: RoundOptions
  /** Rows that would begin later are left out, and say so. */
  totalMs: number
}

export type Bench = {
  scale: Scale
  sample: Sample
  /** Made on first use and kept: see data/filled-store.ts. */
  filled(filling: Filling): Promise<FilledFolder>
  record(figure: Figure): void
}

export type Row = {
  /** For `--only`. */
  key: string
  title: string
  measure(bench: Bench, title: string): Promise<void>
}

export const QUICK: Scale = {
  sizes: [10_000, 100_000],
  embedded: 2_000,
  queries: 50,
  rounds: { rounds: 3, warmUpMs: 500, budgetMs: 1_000 },
  spaces: 200,
  severalSizes: [10_000],
  recallSizes: [2_000],
  creates: 4_000,
  embeddedCreates: 150,
  loadMs: 8_000,
  embeddingShare: 0.2,
  starts: 1,
  peerSizes: [10_000],
  peerRounds: { rounds: 3, warmUpMs: 500, budgetMs: 1_000 },
  totalMs: 150_000,
}

export const FULL: Scale = {
  sizes: [10_000, 100_000, 1_000_000],
  embedded: 20_000,
  queries: 200,
  rounds: { rounds: 7, warmUpMs: 2_000, budgetMs: 3_000 },
  spaces: 10_000,
  severalSizes: [10_000, 100_000],
  recallSizes: [2_000, 20_000, 100_000, 1_000_000],
  creates: 20_000,
  embeddedCreates: 600,
  loadMs: 30_000,
  embeddingShare: 1,
  starts: 3,
  peerSizes: [10_000, 100_000, 1_000_000],
  peerRounds: { rounds: 3, warmUpMs: 2_000, budgetMs: 3_000 },
  totalMs: 5_400_000,
}

export const createBench = (
  scale: Scale,
  sample: Sample,
  record: (figure: Figure) => void,
): Bench => ({
  scale,
  sample,
  record,
  filled: (filling) => filledFolder(sample, filling),
})
