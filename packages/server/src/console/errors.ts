// An error of the console that is meant for the person in front of it. What the records themselves
// refuse arrives as an ApiError, with the codes of /v1.
import { CONSOLE_ERRORS, type ConsoleErrorCode } from './contract/errors.ts'

export class ConsoleError extends Error {
  override readonly name = 'ConsoleError'
  readonly code: ConsoleErrorCode
  readonly status: number
  readonly retryAfterSeconds: number | undefined

  constructor(code: ConsoleErrorCode, { retryAfterSeconds }: { retryAfterSeconds?: number } = {}) {
    super(CONSOLE_ERRORS[code].message)
    this.code = code
    this.status = CONSOLE_ERRORS[code].status
    this.retryAfterSeconds = retryAfterSeconds
  }

  body(): { error: Record<string, string | number> } {
    const retryAfter = this.retryAfterSeconds
    return {
      error: {
        code: this.code,
        message: this.message,
        ...(retryAfter === undefined ? {} : { retryAfter }),
      },
    }
  }
}
