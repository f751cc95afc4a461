// Inside its transaction, a switch to new vectors embeds the last memories that have none yet. Creates wait
// meanwhile, so it has a bounded time for that. Every driver wraps what its transaction failed with into a StoreError.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Piece } from '../retrieval/evidence.ts'
import type { Embedded, Unembedded } from './generation.ts'
import { StoreError } from './store.ts'

/** `cause` says why; there is none when it took too long. */
class RestNotEmbedded extends Error {}

/** Within the transaction of the switch. What it rejects with is for `whyNotSwitched` to read. */
export async function embedRest(
  memories: readonly Unembedded[],
  { waitMsMax, embed }: { waitMsMax: number; embed: (content: string) => Promise<Piece[]> },
): Promise<Embedded[]> {
  if (memories.length === 0) return []
  const embedding = Promise.all(
    memories.map(async ({ ref, content }) => ({ ref, pieces: await embed(content) })),
  ).catch((cause: unknown) => {
    throw new RestNotEmbedded('The rest could not be embedded.', { cause })
  })
  const late = new AbortController()
  try {
    return await Promise.race([embedding, tooLate(waitMsMax, late.signal)])
  } finally {
    late.abort()
  }
}

/** After the transaction: false when the rest took too long. Throws what else it failed with. */
export function whyNotSwitched(error: unknown): false {
  const reason = error instanceof StoreError ? error.cause : undefined
  if (!(reason instanceof RestNotEmbedded)) throw error
  if (reason.cause !== undefined) throw reason.cause
  return false
}

async function tooLate(waitMs: number, signal: AbortSignal): Promise<never> {
  await sleep(waitMs, undefined, { signal })
  throw new RestNotEmbedded('The rest took too long.')
}
