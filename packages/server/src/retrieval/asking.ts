// Whether a text asks for something or states it. The model puts a question further from its
// answer than a statement from its paraphrase, so that the score has to know which one it judges;
// and a memory that only asks is seldom what answers.

/** Greek asks with what is a semicolon elsewhere, and on its keyboards. */
const QUESTION_MARK_AT_END = /(?:[?？؟\u037e]|(?<=\p{Script=Greek});)["'”’)\s]*$/u
/** A note in brackets may follow, such as what was attached to a message. */
const QUESTION_ONLY = /(?:[?？؟\u037e]|(?<=\p{Script=Greek});)["'”’)]*\s*(?:\[[^\]]*\])?\s*$/u
const OPENING_OF_A_QUESTION =
  /^\W*(?:what|when|where|who|whom|whose|which|how|why|is|are|was|were|am|do|does|did|has|have|had|can|could|will|would|should|may|tell|show|find|list|remind|describe)\b/iu
/** "I have to be sure which pills he takes", "she wants to know whether it rained". */
const INDIRECT_QUESTION =
  /\b(?:knows?|wonder(?:s|ing)?|sure|forg[eo]t(?:ten)?|remember|recall|find out|curious)\b[^.?!;"“”]{0,40}?\b(?:what|when|where|who|whom|whose|which|how|why|whether|if)\b/iu
/** Whose memories they are: "the user" and "my" stand for the owner, whatever their name. */
const OWNER = /\b(?:user|my|our)\b/iu
/** "food allergies", "travel plans", "10 24 3 118": too few words to be a statement. */
const KEYWORDS_MAX = 3
/** What holds a digit is a number or a code, and states nothing however many groups it has. */
const WORD_WITHOUT_DIGITS = /(?<![\p{L}\p{M}\p{N}])\p{L}[\p{L}\p{M}]*(?![\p{L}\p{M}\p{N}])/gu
/**
 * A topic as people type it, "root cause of the crashes": it begins with a small letter, which not every
 * script has, nothing ends it, and no word of those that make most sentences is in it.
 */
const SENTENCE_BEGIN_OR_END = /^[^\p{L}]*[\p{Lu}\p{Lt}\p{Lo}]|[.!。！]["'”’)\s]*$/u
const WORD_OF_A_SENTENCE =
  /\b(?:am|is|are|was|were|be|been|has|have|had|do|does|did|will|would|can|cannot|could|shall|should|may|might|must|not|i|you|he|she|it|we|they|there|that)\b|['’](?:m|re|ve|ll|d|t)\b/iu
/** In a longer memory the question at its end is one sentence of many. */
const QUESTION_LENGTH_MAX = 600

export const isAsking = (query: string): boolean =>
  QUESTION_MARK_AT_END.test(query) ||
  OPENING_OF_A_QUESTION.test(query) ||
  INDIRECT_QUESTION.test(query) ||
  OWNER.test(query) ||
  (query.match(WORD_WITHOUT_DIGITS) ?? []).length <= KEYWORDS_MAX ||
  (!SENTENCE_BEGIN_OR_END.test(query) && !WORD_OF_A_SENTENCE.test(query))

/** Whether a memory is short and ends with a question. */
export const isQuestionOnly = (content: string): boolean =>
  content.length <= QUESTION_LENGTH_MAX && QUESTION_ONLY.test(content)

/** Kept among the terms of such a memory. No word contains this sign. */
export const ASKING_MARK = '?'
