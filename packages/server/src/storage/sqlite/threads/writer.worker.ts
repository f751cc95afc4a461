// The only thread of the server that writes what is asked for; the checker sets counts right that damage
// has made wrong. Whatever arrived since the last commit goes into the next one, and so does what arrives
// while that is being made; answers leave after the commit, which synchronous=FULL has brought to the
// disk. The search index of a space, where there is one, hears of the changes before the caller does, so
// that a created memory is found at once. The answer to a deletion also waits until the deleted text is
// out of the files, but not for ever beside a reader (log-keeper.ts).
// decisions/2026-11-21-embedded-store.md, decisions/2026-11-21-deletion-leaves-no-trace.md
import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import { groupCommit } from '../commit/group-commit.ts'
import { nothingTaken, type Taken, takeGroup } from '../commit/group-size.ts'
import { dropCopies } from '../index/copy-paths.ts'
import { IndexedSpaces } from '../index/indexed-spaces.ts'
import type { IndexChange } from '../index/tables/indexed.ts'
import { ListKeeper } from '../lists/list-keeper.ts'
import type { DatabaseFile } from '../log/checkpoint.ts'
import { LogKeeper } from '../log/log-keeper.ts'
import { openDatabase } from '../opening/open-database.ts'
import { type Call, postReplies, type Reply } from './worker-calls.ts'
import { DELETIONS, openWrites } from './writes.ts'

export type WriterData = {
  file: DatabaseFile
  searcher: MessagePort
  /** Of which spaces it has an index. */
  indexed: SharedArrayBuffer
  copier: MessagePort
}

if (parentPort === null) throw new Error('This file runs as a worker thread.')
const port = parentPort
const { file, searcher, copier, ...data }: WriterData = workerData
const indexed = new IndexedSpaces(data.indexed)

const db = openDatabase(file.path)
const changes: IndexChange[] = []
const { procedures, notes } = openWrites(db, changes)
const commitTogether = groupCommit(db, procedures, notes, DELETIONS)
const queue: Call[] = []
const answer = (replies: Reply[]): void => postReplies(port, replies)
const log = new LogKeeper(db, file, { copier, answer, onRoom: work })
const lists = new ListKeeper(db, log)
/** Whatever still arrives afterwards is refused when the thread has ended. */
let hasClosed = false

port.on('message', (calls: Call[]) => {
  queue.push(...calls)
  receive()
  work()
})

/** All that has been sent meanwhile. */
function receive(): void {
  for (;;) {
    const next: { message: Call[] } | undefined = receiveMessageOnPort(port)
    if (next === undefined) return
    queue.push(...next.message)
  }
}

/** Everything that waits. While the log has no room, it waits until `log` knows what to do. */
function work(): void {
  for (let first = queue[0]; first !== undefined && !hasClosed; first = queue[0]) {
    const state = log.room()
    if (state === 'soon') return
    if (first.name === 'close') {
      queue.shift()
      close(first)
      return
    }
    const taken = nothingTaken()
    const calls = takeGroup(queue, taken)
    if (state === 'none') answer(calls.map(({ id }) => ({ id, failure: log.failure })))
    else write(calls, taken)
  }
}

function write(calls: Call[], taken: Taken): void {
  const replies = commitTogether(calls, () => {
    receive()
    const joining = takeGroup(queue, taken)
    calls.push(...joining)
    return joining
  })
  queue.unshift(...calls.splice(replies.length))
  const committed = changes.splice(0)
  const heard = committed.filter(({ space }) => indexed.mayHave(space))
  if (heard.length > 0) searcher.postMessage(heard)
  const removals = committed.filter(({ kind }) => kind === 'removed')
  dropCopies(file.path, new Set(removals.map(({ space }) => space)))
  const deleted = replies.map((reply, index) =>
    'result' in reply ? DELETIONS.get(calls[index]?.name ?? '')?.(reply.result) : undefined,
  )
  const rest = replies.filter((_, index) => deleted[index] !== 'all')
  if (rest.length > 0) answer(rest)
  const toErase = replies.filter((_, index) => deleted[index] === 'all')
  log.committed(toErase, toErase.length > 0 || deleted.includes('a part'))
  lists.created(committed.length - removals.length)
}

function close({ id }: Call): void {
  lists.close()
  log.close(() => {
    hasClosed = true
    db.close()
    searcher.close()
    answer([{ id, result: undefined }])
    port.close()
  })
}
