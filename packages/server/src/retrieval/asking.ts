// Whether a text asks for something or states it. The model puts a question further from its
// answer than a statement from its paraphrase, so that the score has to know which one it judges;
// and a memory that only asks is seldom what answers.

const QUESTION_MARK_AT_END = /[?？؟]["'”’)\s]*$/u
/** A note in brackets may follow, such as what was attached to a message. */
const QUESTION_ONLY = /[?？؟]["'”’)]*\s*(?:\[[^\]]*\])?\s*$/u
const OPENING_OF_A_QUESTION =
  /^\W*(?:what|when|where|who|whom|whose|which|how|why|is|are|was|were|am|do|does|did|has|have|had|can|could|will|would|should|may|tell|show|find|list|remind|describe)\b/iu
/** Whose memories they are: "the user" and "my" stand for the owner, whatever their name. */
const OWNER = /\b(?:user|my|our)\b/iu
/** "food allergies", "travel plans", "10 24 3 118": too few words to be a statement. */
const KEYWORDS_MAX = 3
/** What holds a digit is a number or a code, and states nothing however many groups it has. */
const WORD = /(?<![\p{L}\p{M}\p{N}])\p{L}[\p{L}\p{M}]*(?![\p{L}\p{M}\p{N}])/gu
/** In a longer memory the question at its end is one sentence of many. */
const QUESTION_LENGTH_MAX = 600

export const isAsking = (query: string): boolean =>
  QUESTION_MARK_AT_END.test(query) ||
  OPENING_OF_A_QUESTION.test(query) ||
  OWNER.test(query) ||
  (query.match(WORD) ?? []).length <= KEYWORDS_MAX

/** Whether a memory is short and ends with a question. */
export const isQuestionOnly = (content: string): boolean =>
  content.length <= QUESTION_LENGTH_MAX && QUESTION_ONLY.test(content)

/** Kept among the terms of such a memory. No word contains this sign. */
export const ASKING_MARK = '?'
