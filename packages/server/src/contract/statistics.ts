// The names under which is counted what was answered: an operation's id for requests that succeeded,
// and for the others the code of the refusal behind a prefix. Each line of an import counts for itself.
/** Memories that came in with an import, besides those of `memories.create`. */
export const IMPORTED_KIND = 'memories.import'

export const ERROR_KIND = 'error:'

export const errorKind = (code: string): string => `${ERROR_KIND}${code}`
