// What is being written in a dialog, by key. It outlives its page: when the session ends meanwhile, the
// way leads to the sign-in page and back, and the text is there again. It is in memory alone, and only
// the account of the key comes to a page that shows it. What is sent again as it is has the same Idempotency-Key:
// its answer may have been lost, or its page left before it came.
import { useState } from 'react'

type Kept<Draft> = { draft: Draft; sent?: { text: string; idempotencyKey: string } | undefined }
type Drafts<Draft> = Map<string, Kept<Draft>>

const everyKind: { clear(): void }[] = []

export function draftsOf<Draft extends object>(): Drafts<Draft> {
  const drafts: Drafts<Draft> = new Map()
  everyKind.push(drafts)
  return drafts
}

export function dropDrafts() {
  for (const drafts of everyKind) drafts.clear()
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
  /** Sends it. Stored, it is no draft any more, unless it was written on meanwhile. */
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

/** Browsers have crypto.randomUUID() on safe connections alone. */
const newIdempotencyKey = () => [...crypto.getRandomValues(new Uint32Array(4))].join('-')
