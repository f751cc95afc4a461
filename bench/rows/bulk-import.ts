// A bulk import through the endpoint, in turns with the model alone on the same texts: how much of the
// model's speed the import loses (import-speed.ts).
import type { Row } from '../bench.ts'
import { textAt } from '../data/memories.ts'
import { measureImport } from './import-speed.ts'

const SHARE_MIN = 0.95
/** A round takes a second: the result of only a few would depend on what else the machine does. */
const ROUNDS = 9
/** Beyond the sample, and unlike those of other rows. */
const FIRST_TEXT = 7_000_000

export const bulkImport: Row = {
  key: 'import',
  title: 'Bulk import with the real model',
  async measure({ scale, sample, record }, row) {
    const texts = Array.from(
      { length: scale.embeddedCreates * ROUNDS },
      (_, place) => textAt(sample.texts, FIRST_TEXT + place).text,
    )
    const speed = await measureImport(texts, ROUNDS)
    const floor = { name: 'the model alone', value: speed.alone }
    record({ row, name: 'imported', unit: 'a second', value: speed.imported, floor })
    record({
      row,
      name: 'imported, to the model alone',
      unit: 'x',
      value: speed.ratio,
      goal: { atLeast: SHARE_MIN },
    })
    const name = 'imported, to the model alone, by processor time'
    record({ row, name, unit: 'x', value: speed.processorRatio })
  },
}
