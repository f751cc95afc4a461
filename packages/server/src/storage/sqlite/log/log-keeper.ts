// Decides when the write-ahead log is moved into the database file, while commits go on. Beyond 8 MiB the
// copier moves it beside the writer, and the writer takes the last step between two commits. The answer to a
// deletion waits for a step that cuts the log, but no longer than 5 s for a reader that keeps it from being
// cut, such as an operator's backup. Beside such a reader commits go on until the log is nearly LOG_BYTES_MAX
// long; then they are refused as unavailable until the reader is gone.
// decisions/2026-11-21-deletion-leaves-no-trace.md,
// decisions/2026-11-21-log-and-checkpoints.md (order, and what a crash leaves)
import type { MessagePort } from 'node:worker_threads'
import { mayPass, toStoreError } from '../failure.ts'
import { type Connection, openDatabase } from '../opening/open-database.ts'
import type { Copied } from '../threads/copier.worker.ts'
import type { Reply } from '../threads/worker-calls.ts'
import { Checkpoint, type DatabaseFile } from './checkpoint.ts'
import { removeMark } from './clean-mark.ts'
import { LOG_BYTES_MAX, LOG_BYTES_SHORT } from './write-ahead-log.ts'

/** What one commit may add; see group-size.ts. */
const COMMIT_BYTES_MAX = 16 * 1024 * 1024
/** What the writer moves itself: a few milliseconds. */
const LAST_STEP_BYTES_MAX = 2 * 1024 * 1024
/** After so many copies the log grows as fast as it is copied: then commits wait for the last step. */
const COPIES_MAX = 3
const RETRY_MS = 20
/** Others write to the log too, such as `mnemograph reembed`. */
const CHECK_MS = 1_000
/** A reader that stays longer holds up no answer to a deletion any more. */
const ERASURE_WAIT_MS_MAX = 5_000

/** `soon`: `onRoom` tells when to ask again. */
export type LogRoom = 'yes' | 'soon' | 'none'

type Around = {
  copier: MessagePort
  answer: (replies: Reply[]) => void
  /** Called when there may be room again. */
  onRoom: () => void
}

export class LogKeeper {
  readonly #file: DatabaseFile
  readonly #around: Around
  readonly #mover: Connection
  readonly #checkpoint: Checkpoint
  readonly #checking: NodeJS.Timeout
  /** Answers to deletions that are committed but may still be in the files. */
  readonly #erasing: { reply: Reply; answerByMs: number }[] = []
  /** Since the log was cut. What a crash has left may hold some as well. */
  #hasDeleted = true
  #isCopying = false
  #copiesInRow = 0
  #bytesAtCopy = 0
  /** Why the log could not be looked at or moved last, where it was no reader. */
  #hindrance: unknown
  #retry: NodeJS.Timeout | undefined
  #whenCopied: (() => void) | undefined

  constructor(db: Connection, file: DatabaseFile, around: Around) {
    this.#file = file
    this.#around = around
    this.#mover = openDatabase(file.path)
    this.#checkpoint = new Checkpoint({ db, mover: this.#mover }, file)
    around.copier.on('message', (copied: Copied) => this.#onCopied(copied))
    this.#takeLastStep()
    this.#checking = setInterval(() => this.#look(), CHECK_MS)
  }

  /** Why there is no room. */
  get failure() {
    const cause = this.#hindrance ?? new Error('A reader keeps the log too long.')
    const isFull = toStoreError(cause).kind === 'full'
    return { kind: isFull ? 'full' : 'unavailable', cause } as const
  }

  /** Whether the next commit may be made. */
  room(): LogRoom {
    const bytes = this.#logBytes()
    if (bytes !== undefined && bytes + COMMIT_BYTES_MAX <= LOG_BYTES_MAX) return 'yes'
    if (this.#isCopying) return 'soon'
    if (bytes === undefined) return 'none'
    return this.#takeLastStep() ? 'yes' : 'none'
  }

  /**
   * After a commit. The replies leave when what was deleted is out of the files; beside a reader that
   * stays after ERASURE_WAIT_MS_MAX, and then it leaves the files when the reader has gone. `hasDeleted`: what
   * was deleted may have no reply that waits.
   */
  committed(toErase: Reply[], hasDeleted = toErase.length > 0): void {
    const answerByMs = performance.now() + ERASURE_WAIT_MS_MAX
    for (const reply of toErase) this.#erasing.push({ reply, answerByMs })
    if (hasDeleted) this.#hasDeleted = true
    this.#look()
  }

  /**
   * Afterwards nothing is left to do with the file, unless a reader keeps the log from being cut: then the
   * next start does it. The replies leave either way.
   */
  close(done: () => void): void {
    if (this.#isCopying) {
      this.#whenCopied = () => this.close(done)
      return
    }
    this.#hasDeleted = true
    const isCut = this.#takeLastStep()
    this.#stopRetrying()
    clearInterval(this.#checking)
    if (!isCut) removeMark(this.#file.path)
    this.#around.answer(this.#erasing.splice(0).map(({ reply }) => reply))
    this.#around.copier.close()
    this.#mover.close()
    done()
  }

  #look(): void {
    if (this.#retry === undefined) this.#shorten({ isRetry: false })
  }

  /** `isRetry`: the last step did not work before. */
  #shorten({ isRetry }: { isRetry: boolean }): void {
    if (this.#isCopying) return
    const bytes = this.#logBytes()
    if (bytes !== undefined && bytes > LOG_BYTES_SHORT) this.#copy(bytes)
    else if (isRetry || this.#erasing.length > 0) this.#takeLastStep()
  }

  #copy(bytes: number): void {
    this.#isCopying = true
    this.#bytesAtCopy = bytes
    this.#around.copier.postMessage('copy')
  }

  #onCopied({ done }: Copied): void {
    this.#isCopying = false
    if (done === undefined) this.#checkpoint.lose()
    else this.#checkpoint.moved(done)
    this.#copiesInRow += 1
    const bytes = this.#logBytes()
    const isLong = bytes !== undefined && bytes - this.#bytesAtCopy > LAST_STEP_BYTES_MAX
    if (isLong && this.#copiesInRow < COPIES_MAX && this.#whenCopied === undefined) {
      this.#copy(bytes)
    } else {
      this.#takeLastStep()
    }
    this.#whenCopied?.()
    this.#around.onRoom()
  }

  #takeLastStep(): boolean {
    this.#stopRetrying()
    this.#copiesInRow = 0
    const isCut = this.#tryToCut()
    if (isCut) this.#hasDeleted = false
    else this.#retry = setTimeout(() => this.#again(), RETRY_MS)
    const nowMs = performance.now()
    const erased: Reply[] = []
    while (this.#erasing[0] && (isCut || this.#erasing[0].answerByMs <= nowMs)) {
      erased.push(this.#erasing[0].reply)
      this.#erasing.shift()
    }
    if (erased.length > 0) this.#around.answer(erased)
    return isCut
  }

  #again(): void {
    this.#stopRetrying()
    this.#shorten({ isRetry: true })
  }

  #stopRetrying(): void {
    clearTimeout(this.#retry)
    this.#retry = undefined
  }

  /** Undefined while it cannot be looked at: clients, for example, may have taken all descriptors. */
  #logBytes(): number | undefined {
    try {
      this.#hindrance = undefined
      return this.#checkpoint.logBytes
    } catch (error) {
      if (!mayPass(error)) throw error
      this.#hindrance = error
      return undefined
    }
  }

  /** What was committed stays so whether or not this works; a full disk is tried again as well. */
  #tryToCut(): boolean {
    try {
      return this.#checkpoint.run({ forgets: this.#hasDeleted })
    } catch (error) {
      if (!mayPass(error)) throw error
      this.#hindrance = error
      return false
    }
  }
}
