// Reads LoCoMo in its original format: long conversations, and questions whose evidence names turns. Each
// turn becomes a memory. It tolerates irregularities of the published file: several ids in one evidence
// string, ids of turns that do not exist, questions without evidence.

type Turn = { id: string; content: string }
export type Question = { text: string; evidence: ReadonlySet<string> }
export type Conversation = {
  id: string
  speakers: string[]
  turns: Turn[]
  /** Without category 5, which has no answer, and without those whose evidence names no turn. */
  questions: Question[]
}

const UNANSWERABLE = 5

/** Throws when the text is not a list of conversations. */
export function parseLocomo(text: string): Conversation[] {
  const samples: unknown = JSON.parse(text)
  if (!Array.isArray(samples)) throw new Error('A LoCoMo file holds a list of conversations.')
  return samples.map(toConversation)
}

function toConversation(sample: unknown, index: number): Conversation {
  if (!isRecord(sample) || !isRecord(sample['conversation'])) {
    throw new Error(`Conversation ${index} of the LoCoMo file has no turns.`)
  }
  const turns = turnsOf(sample['conversation'])
  const ids = new Set(turns.map(({ id }) => id))
  return {
    id: `conversation-${index}`,
    speakers: [...new Set(turns.map(({ speaker }) => speaker))],
    turns: turns.map(({ id, content }) => ({ id, content })),
    questions: listOf(sample['qa']).flatMap((entry) => toQuestion(entry, ids)),
  }
}

function turnsOf(conversation: Record<string, unknown>): (Turn & { speaker: string })[] {
  return Object.keys(conversation)
    .flatMap((key) => /^session_(\d+)$/.exec(key)?.[1] ?? [])
    .map(Number)
    .sort((a, b) => a - b)
    .flatMap((session) => listOf(conversation[`session_${session}`]))
    .filter(isRecord)
    .map((turn) => {
      const speaker = String(turn['speaker'])
      const caption = turn['blip_caption'] ? ` [shares ${String(turn['blip_caption'])}]` : ''
      const content = `${speaker}: ${String(turn['text'] ?? '')}${caption}`
      return { id: String(turn['dia_id']), speaker, content }
    })
}

function toQuestion(entry: unknown, turnIds: ReadonlySet<string>): Question[] {
  if (!isRecord(entry) || entry['category'] === UNANSWERABLE) return []
  const named = listOf(entry['evidence']).flatMap((ids) => String(ids).split(/[;,\s]+/))
  const evidence = new Set(named.filter((id) => turnIds.has(id)))
  return evidence.size === 0 ? [] : [{ text: String(entry['question']), evidence }]
}

/**
 * Whether a speaker of one has the name of a speaker of the other: then questions about one fit the other
 * too.
 */
export const shareSpeakerName = (a: Conversation, b: Conversation): boolean =>
  a.speakers.some((name) => b.speakers.includes(name))

/** The question as agents often put it: about "the user", whoever speaks. */
export const withoutSpeakerNames = (question: string, speakers: readonly string[]): string =>
  speakers.reduce((text, name) => text.replaceAll(name, 'the user'), question)

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
