/** A command cannot do what it was asked for. The message is for the person who asked. */
export class CommandFailure extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'CommandFailure'
  }
}
