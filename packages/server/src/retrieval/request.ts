// What somebody wants to be told, without what they say around it: "Hey Claude, could you please tell me where I
// live?" asks "where I live?". Agents hand on what they were asked as it came, or write "Search memories for Anna's
// birthday", and neither the greeting nor the request stands in what answers.
// decisions/2026-11-29-requests.md
import { STOP_WORDS } from './words/stop-words.ts'

const GREETING =
  '(?:hi|hiya|hey|hello|dear|good (?:morning|afternoon|evening)|thanks|thank you|ok|okay|sorry)'
const PLEASE = '(?:please|kindly|pls|plz)'
const QUESTION_WORD = '(?:(?:what|when|where|who|how)s?|whom|whose|which|why)'
const VERB = '(?:is|are|was|were|am|do|does|did|has|have|had|can|could|will|would|should)'
const WOULD_YOU = '(?:can|could|would|will) you'
const TELL = '(?:tell|remind|show|give) (?:me|us)'
const LOOK = '(?:find|search|look|list|get|check|recall|retrieve|fetch|summari[sz]e|explain)'
const ASKING = `(?:${PLEASE}|${TELL}|${LOOK})`
const THINGS =
  '(?:(?:all|any|some|the|my|your) )*(?:anything|everything|information|info|details|facts|memories)'
const KNOWN = '(?:(?:that )?(?:i|you|we) (?:know|remember|have|said)|known|remembered|saved|stored)'
const ABOUT = '(?:about|on|regarding|concerning|related to)'
const WHAT_IS_KNOWN = `(?:${THINGS}(?: ${KNOWN})?|what ${KNOWN}) ${ABOUT}`

const MOMENT = String.raw`\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?`
const SPEAKER = '(?:user|human|q|question|query) ?:'

/** Of something that is to be told. */
const REQUEST = new RegExp(
  `^(?:${[
    `${WOULD_YOU} (?:${PLEASE} )?${TELL}`,
    `${WOULD_YOU}(?= (?:${PLEASE} )?${LOOK}\\b)`,
    TELL,
    'do you (?:still |happen to )?(?:know|remember|recall)',
    "(?:i (?:need|want|would like)|i['’]d like) to know",
    `what (?:do|did|can|have) (?:i|you|we) (?:know|remember|have|say|said|tell me) ${ABOUT}`,
    `(?:get|find|list|show|recall|retrieve|fetch) (?:me )?${WHAT_IS_KNOWN}`,
    // "Everything on the menu was vegan" tells something
    `${WHAT_IS_KNOWN}(?!.* ${VERB}\\b)`,
    'search (?:(?:in|through|all|the|my|your|memory|memories|notes) )*for',
    // "Recall of 2,000 cars", "Recall that Anna has moved", "fetch fails in Safari"
    '(?:recall(?= (?!of |that ))|summari[sz]e|look up)',
    String.raw`explain(?= ${QUESTION_WORD}\b)`,
  ].join('|')})(?: ${PLEASE})?[,:]?\\s+`,
  'iu',
)
/** What else people say first. It is that only before a question or a request. */
const OPENING = new RegExp(
  `^(?:${[
    // "Hey Claude, …", "Good morning! …"
    String.raw`${GREETING}(?<addressed>(?: [^\s,.!?:;…]+){0,3})[,.!…]+`,
    // "hey claude where do I …", "ok google am I …", but "Ok Computer is an album"
    String.raw`(?:hi|hey|hello|ok|okay)(?<addressed>(?: \p{L}[\p{L}\p{M}]*)??)(?= (?:${QUESTION_WORD}|${ASKING}|so|${VERB} (?:i|my|we|our|you))\b)`,
    String.raw`(?:hi|hey|and|but|so|also|well|now|then|um+|uh),?(?= (?:${QUESTION_WORD}|${ASKING}|${VERB})\b)`,
    // "Claude, tell me …"; "Berlin, where did we …" begins with what it is about
    String.raw`(?<addressed>\p{L}[\p{L}\p{M}]*),(?= (?:${PLEASE}|${TELL}|${WOULD_YOU})\b)`,
    `(?:${PLEASE}|by the way|btw|quick question)(?:[,:–-]| [–-])?`,
    // A line of a chat, or of a prompt; "2026-11-29 10:22: what happened?" is about that moment
    String.raw`\[${MOMENT}\][:,]?`,
    `${MOMENT}[:,]?(?= ${SPEAKER})`,
    SPEAKER,
  ].join('|')})\\s+`,
  'iu',
)
// "… where I live, thanks", but "How do I say please?" and "… the word for thank you?"
const PLEASE_AT_END = new RegExp(
  `(?:(?<!\\b(?:say|for)),? ${PLEASE}(?=[.!?]*$)|(?:,|(?<=[.!?]))\\s(?:thanks|thank you)[.!]*(?=\\?*$))`,
  'iu',
)
const ASKS = new RegExp(String.raw`\?["”)]*$|^(?:${QUESTION_WORD}|${VERB})\b(?!.*[.!?]\s)`, 'isu')
/** "Hey Mel, what did you paint?" is about Mel, and "Hey Claude, what did you tell me?" is not about Claude. */
const OF_YOU = /\byou(?:rs?)?\b/iu
const OF_ME = /\b(?:i|me|my|mine|we|us|our)\b/iu
/** "Hi Claude, quick question: could you please tell me …" */
const SAID_FIRST_MAX = 5

export type Request = {
  /** What is to be told; the whole text when nothing stands around it. */
  question: string
  /** Who is spoken to, when it may be about them: a few words at most, which the question has not. */
  addressed: string
  /** Whether the text is known to ask by what stands around. */
  isRequest: boolean
}

export function readRequest(text: string): Request {
  const whole = text.trim()
  let rest = whole
  let addressed = ''
  let isRequest = false
  for (let count = 0; count < SAID_FIRST_MAX; count += 1) {
    const request = REQUEST.exec(rest)
    const said = request ?? OPENING.exec(rest)
    if (said === null) break
    isRequest ||= request !== null
    addressed = `${addressed} ${said.groups?.['addressed'] ?? ''}`.trim()
    rest = rest.slice(said[0].length)
  }
  const question = rest.replace(PLEASE_AT_END, '')
  if (question === whole || !(isRequest || ASKS.test(question))) {
    return { question: text, addressed: '', isRequest: false }
  }
  const isOfMe = OF_ME.test(question)
  const isOfYou = !isRequest && !isOfMe && OF_YOU.test(question)
  if (isOfYou || !hasMeaning(question)) return { question: text, addressed: '', isRequest: true }
  return { question, addressed: isOfMe ? '' : addressed, isRequest: true }
}

/** "What do you know about me?" has nothing else to go by. */
const hasMeaning = (question: string): boolean =>
  (question.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? []).some((word) => !STOP_WORDS.has(word))
