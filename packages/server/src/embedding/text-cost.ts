/** What a text costs at least, in the time of so many characters. */
const CHARACTERS_MIN = 100

/** What a text costs the model, in characters: time is spent on them, and a little on any text. */
export const costOf = (text: string): number => Math.max(text.length, CHARACTERS_MIN)
