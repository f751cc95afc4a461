/** A command cannot do what it was asked for. The message is for the person who asked. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure'
}

/** A server takes the API key no more, or never did. The message is the server's. */
export class RefusedKey extends CommandFailure {}

/** A server answers fewer lines than it was sent, and nobody knows which ones it did not get. */
export class LostLines extends CommandFailure {}

/** What was asked for makes no sense. The message is for the person who asked. */
export class UsageFailure extends Error {
  override readonly name = 'UsageFailure'
}
