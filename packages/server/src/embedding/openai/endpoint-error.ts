// Why an embedding service did not give vectors. Its answers often repeat what was sent to it, so
// neither their text nor the errors of parsing them are kept: errors are logged, texts are not.

export class EndpointError extends Error {
  override readonly name = 'EndpointError'
  /** Absent when there was no answer. */
  readonly status: number | undefined
  /** Whether the same request can succeed a moment later. */
  readonly isTransient: boolean
  /** How long the service asked to be left alone. */
  readonly retryAfterMs: number

  constructor(
    message: string,
    options: {
      status?: number
      isTransient?: boolean
      retryAfterMs?: number
      cause?: unknown
    } = {},
  ) {
    super(message, { cause: options.cause })
    this.status = options.status
    this.isTransient = options.isTransient ?? false
    this.retryAfterMs = options.retryAfterMs ?? 0
  }
}

/** The service had all the time that a try may take. It may answer the next one. */
export class AnswerTooLate extends EndpointError {
  constructor(cause: unknown) {
    super('The embedding service did not answer in time.', { isTransient: true, cause })
  }
}

/** The service answered, but its vectors have another length than the store is made for. */
export class WrongDimension extends EndpointError {
  readonly dimension: number

  constructor(dimension: number) {
    super(`The embedding service gave a vector of ${dimension} dimensions.`)
    this.dimension = dimension
  }
}
