// `mnemograph mcp`: a server of the Model Context Protocol over stdin and stdout, for clients that can only
// start programs. It brings their messages to a running server, and connects to it with the first one: so
// either may be started first. Nothing but messages of the protocol is written to stdout.
// decisions/2026-11-27-tools-for-agents.md
import type { Command } from 'commander'
import { IDENTIFIER_LENGTH_MAX } from '../../contract/bounds.ts'
import { boundedText } from '../bounded-text.ts'
import { KEY_OPTIONS, type KeyFlags, keyPlaceOf, otherKey, readKey } from '../key-place.ts'
import { serverAddress } from '../server-address.ts'
import { onStopSignal } from '../stop-signal.ts'

type McpFlags = KeyFlags & { url: string; userId?: string }

export function addMcpCommand(program: Command): void {
  program
    .command('mcp')
    .description(
      'give an agent its tools over stdin and stdout, where its client starts programs; the server runs ' +
        'elsewhere',
    )
    .requiredOption('--url <address>', 'the server, such as http://127.0.0.1:8080', serverAddress)
    .option(...KEY_OPTIONS[0])
    .option(...KEY_OPTIONS[1])
    .option(
      '--user-id <id>',
      'whose memories all of these are; the agent is not asked then',
      boundedText(IDENTIFIER_LENGTH_MAX),
    )
    .action(mcpAction)
}

async function mcpAction(flags: McpFlags): Promise<void> {
  const { url, userId } = flags
  const keyPlace = keyPlaceOf(flags)
  const key = readKey(keyPlace)
  const user = userId === undefined ? '' : `?userId=${encodeURIComponent(userId)}`
  const address = `${url}/mcp${user}`
  const stop = onStopSignal()
  const { Bridge } = await import('./bridge.ts')
  await new Bridge({ address, key, otherKey: otherKey(keyPlace) }).run(process.stdin, stop)
}
