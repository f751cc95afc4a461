// What is being written in a dialog, by key. It outlives its page, so that the text is there again when the
// session ends and the reader has signed in once more. It is only in memory, and only the account of the key
// comes to a page that shows it. When the same text is sent again it has the same Idempotency-Key: the first
// answer may have been lost, or its page closed before it came.
import { useState } from 'react'

type Kept<Draft> = { draft: Draft; sent?: { text: string; idempotencyKey: string } | undefined }
type Drafts<Draft> = Map<string, Kept<Draft>>

const everyKind: Map<string, unknown>[] = []

export function draftsOf<Draft extends object>(): Drafts<Draft> {
  const drafts: Drafts<Draft> = new Map()
  everyKind.push(drafts)
  return drafts
}

export function dropDrafts() {
  for (const drafts of everyKind) drafts.clear()
}

/** What is being written for a key goes on with the one that has its data now. */
export function handOverDrafts(keyId: string, nextId: string) {
  for (const drafts of everyKind) {
    const kept = drafts.get(keyId)
    if (kept === undefined || drafts.has(nextId)) continue
    drafts.set(nextId, kept)
    drafts.delete(keyId)
  }
}

export function useDraft<Draft extends object>(
  drafts: Drafts<Draft>,
  keyId: string,
  empty: NoInfer<Draft>,
) {
  const [kept, setKept] = useState((): Kept<Draft> => drafts.get(keyId) ?? { draft: empty })
  const write = (part: Partial<Draft>) => {
    const next = { ...kept, draft: { ...kept.draft, ...part } }
    drafts.set(keyId, next)
    setKept(next)
  }
  /** Sends the body. Once it is stored the draft is dropped, unless it was changed meanwhile. */
  async function sendOnce<Body, Answer>(
    body: Body,
    send: (body: Body, idempotencyKey: string) => Promise<Answer>,
  ): Promise<Answer> {
    const text = JSON.stringify(body)
    if (kept.sent?.text !== text) kept.sent = { text, idempotencyKey: newIdempotencyKey() }
    const answer = await send(body, kept.sent.idempotencyKey)
    if (drafts.get(keyId) === kept) drafts.delete(keyId)
    return answer
  }
  return { draft: kept.draft, write, sendOnce }
}

/** Not crypto.randomUUID(), which browsers have only in secure contexts. */
const newIdempotencyKey = () => [...crypto.getRandomValues(new Uint32Array(4))].join('-')
