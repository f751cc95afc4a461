// Durable creates through the store's interface with 64 in flight, without the model, in turns with the
// floor: as many bytes appended to a file, and one flush for all creates in flight.
import { inFlight } from '../../eval/client.ts'
import { median } from '../../eval/statistics/metrics.ts'
import type { Row } from '../bench.ts'
import { adoptBundled, newFolder, openBenchStore } from '../data/filled-store.ts'
import { memoryAt } from '../data/memories.ts'
import { numbers } from '../data/numbers.ts'
import { DIMENSION } from '../data/sample.ts'
import { appendAndFlush } from '../floors/append-and-flush.ts'

const IN_FLIGHT = 64
const GOAL_PER_SECOND = 20_000
/** The vector, and about as much text and index as these memories have. */
const CREATE_BYTES = DIMENSION * 4 + 300

export const storeCreates: Row = {
  key: 'store-creates',
  title: 'Durable creates, the model left out',
  async measure({ scale, sample, record }, row) {
    using folder = await newFolder()
    const { directory, space, keyId } = folder
    await using open = new AsyncDisposableStack()
    const store = open.adopt(await openBenchStore(directory), (opened) => opened.close())
    const generation = await adoptBundled(store)
    const { memories } = store.forSpace(space)
    const perSecond: number[] = []
    const floors: number[] = []
    const singleMs: number[] = []
    const cpuUs: number[] = []
    let made = 0
    // The first round warms up.
    for (let round = -1; round < scale.rounds.rounds; round += 1) {
      // Made before the time is taken.
      const records = numbers(scale.creates).map((place) =>
        memoryAt(sample, made + place, 1_000_000, 'plain'),
      )
      made += scale.creates
      const [startMs, cpu] = [performance.now(), process.cpuUsage()]
      await inFlight(records, IN_FLIGHT, ({ memory, pieces }) =>
        memories.insert(memory, pieces, { charge: { keyId, month: '2026-11' } }, generation),
      )
      const tookS = (performance.now() - startMs) / 1_000
      const { user, system } = process.cpuUsage(cpu)
      const flushMs = appendAndFlush(directory, CREATE_BYTES * IN_FLIGHT)
      const single = appendAndFlush(directory, CREATE_BYTES)
      if (round < 0) continue
      perSecond.push(scale.creates / tookS)
      cpuUs.push((user + system) / scale.creates)
      floors.push((IN_FLIGHT / flushMs) * 1_000)
      singleMs.push(single)
    }
    record({
      row,
      name: `the store, ${IN_FLIGHT} in flight`,
      unit: 'a second',
      value: median(perSecond),
      goal: { atLeast: GOAL_PER_SECOND },
      floor: { name: `the same bytes appended, a flush for ${IN_FLIGHT}`, value: median(floors) },
      note: `${Math.round(median(cpuUs))} µs of processor time each`,
    })
    const name = 'floor: one create appended and flushed'
    record({ row, name, unit: 'ms', value: median(singleMs) })
  },
}
