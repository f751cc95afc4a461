// What is being written in a dialog, by key. It outlives its page: when the session ends meanwhile, the
// way leads to the sign-in page and back, and the text is there again. It is in memory alone, and only
// the account of the key comes to a page that shows it.
import { useState } from 'react'

type Drafts<Draft> = Map<string, Draft>

const everyKind: { clear(): void }[] = []

export function draftsOf<Draft extends object>(): Drafts<Draft> {
  const drafts = new Map<string, Draft>()
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
  const [draft, setDraft] = useState(drafts.get(keyId) ?? empty)
  const write = (part: Partial<Draft>) => {
    const next = { ...draft, ...part }
    drafts.set(keyId, next)
    setDraft(next)
  }
  return { draft, write }
}
