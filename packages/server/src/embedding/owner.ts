// "The user" is whoever the memories belong to, and so is "I": agents write "User lives in Lisbon", and are asked
// "Where do I live?". The model does not know that these are one, and puts such a memory further from its
// question. So it reads both in the first person, in memories and in queries; and "Lives in Lisbon" too, where a
// memory begins so.
// decisions/2026-11-27-the-user-is-i.md

/** With these the user is nobody: "the user guide", "User stories are in Jira". */
const NOUNS = [
  'access account agent api base class count data database experience feedback field flow form group guide id',
  'input interface interview journey level list login management manual model name object page permission',
  'persona pool profile research role schema service session setting space stories story survey table test',
  'testing token traffic type',
]
  .join(' ')
  .replaceAll(' ', '|')
const ALONE = String.raw`(?! (?:${NOUNS})s?\b)(?=\s+\p{Ll}|[,.;:!?)]+(?:\s|$)|\s*$)`
const BEGIN = String.raw`(?<=^|[.!?]\s+)`
const POSSESSIVE = new RegExp(String.raw`(?:${BEGIN}User|\b[Tt]he user)['’]s(?=\s)`, 'gu')
const PERSON = new RegExp(String.raw`(?:${BEGIN}User(?=\s)|\b[Tt]he user\b)${ALONE}`, 'gu')

/** That seldom begin a sentence as a noun does: "Studies medicine", but "Studies show", "Works of art". */
const VERBS = [
  'Attends Avoids Believes Collects Cooks Dislikes Drinks Drives Eats Enjoys Feels Goes Has Hates Hopes Intends Is',
  'Keeps Knows Learns Likes Lives Loves Needs Owns Plays Prefers Reads Runs Sleeps Smokes Speaks Studies Suffers',
  'Takes Teaches Uses Wants Was Wears Works Writes',
]
  .join(' ')
  .replaceAll(' ', '|')
const WITHOUT_SUBJECT = new RegExp(
  String.raw`^(?:${VERBS})(?= [\p{Ll}\d])(?! (?:and|are|have|of|or|show|suggest|were)\b)(?!.*\?\s*$)`,
  'su',
)

/** A memory that begins with what somebody does, and asks nothing, is about its owner. */
export const withOwner = (text: string): string =>
  text.replace(WITHOUT_SUBJECT, (verb) => `I ${verb.toLowerCase()}`)

/** The same of a query, which asks with some of these: "Has the parcel arrived". */
export const queryWithOwner = (query: string): string =>
  /^(?:Has|Is|Was) /.test(query) ? query : withOwner(query)

/** As its owner would say it, but for the endings of verbs. */
export const inFirstPerson = (text: string): string =>
  /user/i.test(text) ? text.replace(POSSESSIVE, 'my').replace(PERSON, 'I') : text
