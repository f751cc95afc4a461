// The command line: reads arguments, calls one function per command. Data goes to stdout, messages
// to stderr; exit status 1 when a thing cannot be done, 2 when the words make no sense.
// decisions/2026-11-21-command-line.md
import { type Command, Help, Option } from 'commander'
import packageJson from '../../package.json' with { type: 'json' }
import { readConfig } from '../config.ts'
import { addAccountCommands } from './accounts/accounts-command.ts'
import type { CalibrateFlags } from './calibrate/calibrate.ts'
import { addImportCommand } from './import/import-command.ts'
import { fileName, folderName } from './input-file.ts'
import { addKeyCommands } from './keys/keys-command.ts'
import { addMcpCommand } from './mcp/mcp-command.ts'
import { outcomeOf } from './outcome.ts'
import { hearBrokenOutput, print } from './output.ts'
import type { ReembedFlags } from './reembed/reembed.ts'
import { StrictCommand } from './strict-command.ts'

const HELP = new Help()
const SETTINGS =
  '\nSettings are environment variables, such as MNEMOGRAPH_DATA_DIR, DATABASE_URL and PORT: README.md lists them.'
const MODEL_OPTION = [
  '--model <folder>',
  'the folder of a local model, instead of the settings',
] as const

/** Each command loads what it needs: nobody waits for the modules of the others. */
function createProgram(onHelp: (text: string) => void): Command {
  const program = new StrictCommand('mnemograph')
    .description('A memory service for agents and apps.')
    .version(packageJson.version)
    .showHelpAfterError('Run it with --help to see what there is.')
    .addHelpText('after', SETTINGS)
    .configureOutput({ writeOut: onHelp })
    // Subcommands inherit this and what follows.
    .configureHelp({
      optionDescription: (option) =>
        `${HELP.optionDescription(option)}${option.mandatory ? ' (required)' : ''}`,
    })
    // Instead of ending the process with a status of its own.
    .exitOverride()
  program
    .command('serve')
    .description('run the service')
    .addHelpText('after', SETTINGS)
    .action(async () => {
      const { serve } = await import('./serve/serve.ts')
      await serve(readConfig())
    })

  addKeyCommands(program)
  addAccountCommands(program)
  program
    .command('reembed')
    .description(
      'move the store to a model, or renew the vectors of its own; it can be stopped and resumed',
    )
    .option(...MODEL_OPTION, folderName)
    .option('--restart', 'give up an unfinished move, and make vectors that exist again')
    .option('--dry-run', 'say what would be done')
    .addOption(
      new Option('--status', 'say which model the store uses, and how far a move is').conflicts([
        'dryRun',
        'restart',
        'model',
      ]),
    )
    .action(async (flags: ReembedFlags) => {
      const { reembedCommand } = await import('./reembed/reembed.ts')
      await reembedCommand(readConfig(), flags)
    })
  program
    .command('calibrate')
    .description('fit the score to a model, from pairs of texts that people judged')
    .requiredOption(
      '--pairs <file>',
      'CSV of two texts and a rating from 0 to 5, or JSON lines',
      fileName,
    )
    .option(...MODEL_OPTION, folderName)
    .option('--out <file>', 'where to write it for a service', fileName)
    .option('--dry-run', 'print it only')
    .action(async (flags: CalibrateFlags) => {
      const { calibrateCommand } = await import('./calibrate/calibrate.ts')
      await calibrateCommand(readConfig(), flags)
    })
  program
    .command('export')
    .description('write the whole store to an archive, also while a server uses it')
    .argument('<file>', 'where to; - for stdout', fileName)
    .action(async (file: string) => {
      const { exportCommand } = await import('./archive/export.ts')
      await exportCommand(readConfig(), file)
    })
  addImportCommand(program)
  addMcpCommand(program)
  return program
}

/** Sets the process's exit status. Never rejects. */
export async function run(argv: string[]): Promise<void> {
  hearBrokenOutput()
  let help = ''
  const program = createProgram((text) => {
    help += text
  })
  try {
    await program.parseAsync(asked(argv)).finally(() => (help === '' ? undefined : print(help)))
  } catch (error) {
    const { status, text } = outcomeOf(error)
    if (text !== undefined) process.stderr.write(`mnemograph: ${text}\n`)
    process.exitCode = status
  }
}

/** `help keys create` as `keys create --help`: the command of the library looks at one word only. */
function asked(argv: string[]): string[] {
  const [node = '', script = '', first, ...words] = argv
  const names = words.filter((word) => !word.startsWith('-'))
  return first === 'help' && names.length > 1 ? [node, script, ...names, '--help'] : argv
}
