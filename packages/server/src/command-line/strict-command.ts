// A command that takes no option for the value of another: in `--name --json` a value was forgotten, and a
// key called "--json" is not what anybody wants. A value that really begins so is written `--name=--json`.
import { Command } from 'commander'

/** How an option of a command begins, and the only short one. */
const OPTION = /^(--|-h$)/

export class StrictCommand extends Command {
  override createCommand(name?: string): StrictCommand {
    return new StrictCommand(name)
  }

  override parseOptions(args: string[]): ReturnType<Command['parseOptions']> {
    const literal = args.indexOf('--')
    const words = literal === -1 ? args : args.slice(0, literal)
    for (const [place, word] of words.entries()) {
      const next = args[place + 1]
      const takesValue = this.options.some(({ long, required }) => long === word && required)
      if (takesValue && next !== undefined && OPTION.test(next)) {
        this.error(
          `error: a value is missing between '${word}' and '${next}'; a value that looks so is written ` +
            `${word}=${next}`,
        )
      }
    }
    return super.parseOptions(args)
  }
}
