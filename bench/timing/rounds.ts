// Measures contenders in turns: in each round each of them gets all inputs, so that whatever else the machine
// does meets all alike. A figure is the median over the rounds, so that one disturbed round does not count.
// All warm up before the first round: code called only fifty times is not compiled yet.
import { median, percentile } from '../../eval/statistics/metrics.ts'

/** Milliseconds. */
export type Latency = { p50: number; p99: number }

/**
 * `firstMs` is the time of the first call, which finds the caches as the other contenders left them. `cpuMs`
 * is the processor time of one call over all threads of this process, to which a busy machine adds nothing.
 */
export type Timing = Latency & { firstMs: number; cpuMs: number }

export type RoundOptions = {
  rounds: number
  /** For each contender. */
  warmUpMs: number
  /** For one contender in one round; the inputs left over are skipped, after a minimum of a few. */
  budgetMs: number
}

const INPUTS_MIN = 3

export async function inRounds<Input, Name extends string>(
  inputs: readonly Input[],
  contenders: Readonly<Record<Name, (input: Input) => unknown>>,
  { rounds, warmUpMs, budgetMs }: RoundOptions,
): Promise<Record<Name, Timing>> {
  const names = namesOf(contenders)
  const measured = new Map(names.map((name) => [name, [] as Timing[]]))
  for (const name of names) await warmUp(inputs, contenders[name], warmUpMs)
  for (let round = 0; round < rounds; round += 1) {
    for (const name of names) {
      const before = process.cpuUsage()
      const tookMs = await timesOf(inputs, contenders[name], budgetMs)
      const { user, system } = process.cpuUsage(before)
      const cpuMs = (user + system) / 1_000 / tookMs.length
      const [firstMs = Number.NaN] = tookMs
      measured.get(name)?.push({ ...latencyOf(tookMs), firstMs, cpuMs })
    }
  }
  const medians = names.map((name) => [name, medianTiming(measured.get(name) ?? [])] as const)
  return fromEntries(medians)
}

/** All inputs over and over, until the time is up. */
async function warmUp<Input>(
  inputs: readonly Input[],
  work: (input: Input) => unknown,
  warmUpMs: number,
): Promise<void> {
  const deadlineMs = performance.now() + warmUpMs
  let calls = 0
  do {
    for (const input of inputs) {
      await work(input)
      calls += 1
      if (calls >= INPUTS_MIN && performance.now() > deadlineMs) return
    }
  } while (calls > 0)
}

async function timesOf<Input>(
  inputs: readonly Input[],
  work: (input: Input) => unknown,
  budgetMs: number,
): Promise<number[]> {
  const tookMs: number[] = []
  const deadlineMs = performance.now() + budgetMs
  for (const input of inputs) {
    const startMs = performance.now()
    if (startMs > deadlineMs && tookMs.length >= INPUTS_MIN) break
    await work(input)
    tookMs.push(performance.now() - startMs)
  }
  return tookMs
}

export const latencyOf = (tookMs: readonly number[]): Latency => ({
  p50: median(tookMs),
  p99: percentile(tookMs, 0.99),
})

export const medianTiming = (rounds: readonly Timing[]): Timing => ({
  p50: median(rounds.map(({ p50 }) => p50)),
  p99: median(rounds.map(({ p99 }) => p99)),
  firstMs: median(rounds.map(({ firstMs }) => firstMs)),
  cpuMs: median(rounds.map(({ cpuMs }) => cpuMs)),
})

const namesOf = <Name extends string>(of: Readonly<Record<Name, unknown>>): Name[] =>
  Object.keys(of).filter((name): name is Name => name in of)

function fromEntries<Name extends string, Value>(
  entries: readonly (readonly [Name, Value])[],
): Record<Name, Value> {
  const record: Partial<Record<Name, Value>> = {}
  for (const [name, value] of entries) record[name] = value
  const isWhole = (some: Partial<Record<Name, Value>>): some is Record<Name, Value> =>
    entries.every(([name]) => name in some)
  if (!isWhole(record)) throw new Error('A contender was not measured.')
  return record
}
