// The console's part of the store.
import type { ConsoleStore } from '../console-store.ts'
import type { Database } from './database.ts'

export function consoleStore(_database: Database): ConsoleStore {
  throw new Error('to be written')
}
