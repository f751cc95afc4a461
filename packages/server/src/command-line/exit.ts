// Exit statuses of the command line. decisions/2026-11-21-command-line.md

/** What was asked for cannot be done. */
export const EXIT_FAILURE = 1
/** The arguments or settings make no sense. */
export const EXIT_USAGE = 2
