// The service as `mnemograph serve` runs it, but with ready vectors instead of the model. Its argument is the
// size of the sample; its settings come from the environment.
import { letNurseryGrow } from '../../packages/server/src/command-line/serve/nursery.ts'
import { readConfig } from '../../packages/server/src/config.ts'
import { start } from '../../packages/server/src/main.ts'
import { openSample } from '../data/sample.ts'
import { readyVectors } from './ready-vectors.ts'

const sample = await openSample(Number(process.argv[2]))
const running = await start(readConfig(), () => process.exit(1), { embedder: readyVectors(sample) })
letNurseryGrow()
process.once('SIGTERM', () => {
  running.stop().then(
    () => process.exit(0),
    () => process.exit(1),
  )
})
process.stdout.write(`listening on ${running.address}\n`)
