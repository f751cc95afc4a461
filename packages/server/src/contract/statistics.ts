// The names under which requests are counted: an operation's id for those that succeeded, and for
// the others the code of the refusal behind this prefix.
export const ERROR_KIND = 'error:'

export const errorKind = (code: string): string => `${ERROR_KIND}${code}`
