/**
 * What the client knows of its own requests: the truth that the server is held to after a crash.
 * Every record carries a mark in its text, so that one whose answer never came is recognized.
 */
export type Kind = 'memories' | 'entities' | 'relations'

/** A record as the create answered it. */
export type Answered = Readonly<Record<string, unknown>> & { readonly id: string }

export interface Entry {
  readonly kind: Kind
  readonly mark: string
  readonly body: Readonly<Record<string, unknown>>
  readonly idempotencyKey: string | undefined
  /** Marks of the entities that a relation joins. */
  readonly ends: readonly string[]
  /** What the create answered; undefined while nobody knows whether it happened. */
  answered: Answered | undefined
  /** What has to be true of it after a crash; 'either' while its last request has no answer. */
  expected: 'present' | 'absent' | 'either'
  /** The entity whose deletion was sent: the relation goes with it, or stays with it. */
  follows: string | undefined
  /** In which cycle a request for it was sent last. */
  touched: number
}

export class Ledger {
  readonly entries: Entry[] = []
  /** Requests that cost an operation, whatever became of them. */
  sentOperations = 0
  /** Answered writes: each of them is counted for good. */
  acknowledgedWrites = 0

  add(entry: Omit<Entry, 'answered' | 'expected' | 'follows'>): Entry {
    const added: Entry = {
      ...entry,
      answered: undefined,
      expected: 'either',
      follows: undefined,
    }
    this.entries.push(added)
    return added
  }

  /** A deleted entity takes its relations along. */
  expectCascade(entity: Entry, expected: Entry['expected']): void {
    entity.expected = expected
    for (const entry of this.entries) {
      if (entry.ends.includes(entity.mark) && entry.expected !== 'absent') {
        entry.expected = expected
        entry.follows = entity.mark
        entry.touched = entity.touched
      }
    }
  }
}
