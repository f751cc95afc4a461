/** What others wrote may hold a line break or a command for the terminal; neither may be obeyed. */
export const printable = (text: string): string => text.replace(/\p{Cc}/gu, '\ufffd')
