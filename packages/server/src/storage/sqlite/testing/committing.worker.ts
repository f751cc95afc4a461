// Commits one number after the other, and tells of each as soon as its commit has returned.
import { workerData } from 'node:worker_threads'
import { openDatabase } from '../opening/open-database.ts'

export type CommittingData = { file: string; told: Int32Array; last: number }

const { file, told, last }: CommittingData = workerData
const db = openDatabase(file)
// No power is cut here, and each flush would give the other side time.
db.pragma('synchronous = OFF')
const update = db.prepare<[number]>('UPDATE counter SET number = ?')
for (let number = 1; number <= last; number += 1) {
  update.run(number)
  Atomics.store(told, 0, number)
  // The log begins anew now and then, as a checkpoint of the server has it.
  if (number % 500 === 0) db.pragma('wal_checkpoint(TRUNCATE)')
}
db.close()
