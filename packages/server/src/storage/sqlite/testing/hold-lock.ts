// A process of its own that holds a data folder until it is killed.
import { openSqliteStore } from '../open-store.ts'

await openSqliteStore({ directory: process.argv[2] ?? '', onDeath: () => undefined })
process.send?.('holding')
