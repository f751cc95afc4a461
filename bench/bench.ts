// What each row of the benchmark gets: how much to measure, the data, and a function that records figures. A
// row is a file in rows/ about one question; run.ts calls them one after the other.
// decisions/2026-11-21-benchmark.md
import { type FilledFolder, type Filling, filledFolder } from './data/filled-store.ts'
import type { Sample } from './data/sample.ts'
import type { Figure } from './report/figure.ts'
import type { RoundOptions } from './timing/rounds.ts'

export type Scale = {
  /** Memories of one space, smallest first. */
  sizes: readonly number[]
  /** Real texts that are embedded; further memories are mixtures of them. */
  embedded: number
  /**
   * Queries of a round. The first one meets cold caches: among only a hundred queries, the two slowest decide
   * the p99, and it would be one of them.
   */
  queries: number
  rounds: RoundOptions
  /** Spaces of a hundred memories each. */
  spaces: number
  /** Memories of a store whose memories have several sentences. */
  severalSizes: readonly number[]
  /** Numbers of memories among which searches are compared with the exact ranking. */
  recallSizes: readonly number[]
  /** Creates of a round, with the model left out. */
  creates: number
  /** Creates of a round with the real model. */
  embeddedCreates: number
  /** How long the mixed load lasts. */
  loadMs: number
  /** The texts of each length that are embedded, as a share of those of a full run. */
  embeddingShare: number
  /** Starts of a server, whose median counts. */
  starts: number
  /** Sizes at which the peers are asked. */
  peerSizes: readonly number[]
  peerRounds: RoundOptions
  /** A row that would begin later than this is left out, and says so. */
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
  /** The row's name for `--only`. */
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
