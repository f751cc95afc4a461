// A bulk import through the endpoint beside the model alone on the same texts, in turns: what the path of
// an import takes away from the model. import-speed.ts does it; this is its row.
import { readConfig } from '../../packages/server/src/config.ts'
import type { Row } from '../bench.ts'
import { textAt } from '../data/memories.ts'
import { measureImport } from './import-speed.ts'

const SHARE_MIN = 0.95
/** A round is a second, and few of them say what the neighbours on the machine did. */
const ROUNDS = 9
/** Beyond the sample, and not those of other rows. */
const FIRST_TEXT = 7_000_000

export const bulkImport: Row = {
  key: 'import',
  title: 'Bulk import with the real model',
  async measure({ scale, sample, record }, row) {
    const texts = Array.from(
      { length: scale.embeddedCreates * ROUNDS },
      (_, place) => textAt(sample.texts, FIRST_TEXT + place).text,
    )
    const { workers } = readConfig({}).embedding
    const speed = await measureImport(texts, { workers, rounds: ROUNDS })
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
