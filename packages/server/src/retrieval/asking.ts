// Whether a query asks for something or states it. The model puts a question further from its
// answer than a statement from its paraphrase, so that the score has to know which one it judges.

const QUESTION_MARK_AT_END = /[?？؟]["'”’)\s]*$/u
const OPENING_OF_A_QUESTION =
  /^\W*(?:what|when|where|who|whom|whose|which|how|why|is|are|was|were|am|do|does|did|has|have|had|can|could|will|would|should|may|tell|show|find|list|remind|describe)\b/iu
/** Whose memories they are: "the user" and "my" stand for the owner, whatever his name. */
const OWNER = /\b(?:user|my|our)\b/iu
/** "food allergies", "travel plans": too short to be a statement. */
const KEYWORDS_MAX = 3

export const isAsking = (query: string): boolean =>
  QUESTION_MARK_AT_END.test(query) ||
  OPENING_OF_A_QUESTION.test(query) ||
  OWNER.test(query) ||
  (query.match(/[\p{L}\p{N}]+/gu) ?? []).length <= KEYWORDS_MAX
