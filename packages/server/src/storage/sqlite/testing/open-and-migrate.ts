// A process of its own that, once told to, opens the keys of a folder several times, as fast as it
// can. Exit status 0 when each time worked.
import { openSqliteAdministration } from '../open-keys.ts'

const directory = process.argv[2] ?? ''

process.once('message', () => {
  for (let round = 0; round < 5; round += 1) openSqliteAdministration(directory).close()
  process.disconnect?.()
})
process.send?.('ready')
