// A process of its own that starts on a folder and is killed before its writer has looked at any page.
import { startSqliteStore } from '../open-store.ts'

startSqliteStore({ directory: process.argv[2] ?? '', onDeath: () => undefined })
process.kill(process.pid, 'SIGKILL')
