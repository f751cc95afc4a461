// The memory that is being written, by key. It outlives its page: when the session ends meanwhile, the way
// leads to the sign-in page and back, and the text is there again. It is in memory alone, and only the
// account of the key comes to a page that shows it.
import { useState } from 'react'

type Draft = { content: string; userId: string; agentId: string; tags: string }

const EMPTY: Draft = { content: '', userId: '', agentId: '', tags: '' }
const drafts = new Map<string, Draft>()

export const hasDraft = (keyId: string) => drafts.has(keyId)
export const dropDraft = (keyId: string) => drafts.delete(keyId)
export const dropDrafts = () => drafts.clear()

export function useDraft(keyId: string) {
  const [draft, setDraft] = useState(drafts.get(keyId) ?? EMPTY)
  const write = (part: Partial<Draft>) => {
    const next = { ...draft, ...part }
    drafts.set(keyId, next)
    setDraft(next)
  }
  return { draft, write }
}
