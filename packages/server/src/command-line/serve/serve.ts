// Runs the service until a signal asks it to stop. On the first start on an empty store it makes
// one key, so that the first request is a paste away, and a link that sets up the console.
// decisions/2026-11-21-first-start.md
import type { Config } from '../../config.ts'
import type { Console } from '../../console/console.ts'
import { linkAddress } from '../../console/links.ts'
import { createKey, NO_LIMITS_OF_ITS_OWN } from '../../core/keys.ts'
import type { Service } from '../../core/service.ts'
import { type Running, start } from '../../main.ts'
import type { NewKey } from '../../storage/records.ts'
import { placeOf } from '../../store-of-config.ts'
import { EXIT_FAILURE } from '../exit.ts'
import { OutputClosed, print, whenKeyIsLost } from '../output.ts'
import { reachable } from '../reachable.ts'
import { letSignalsEndFirstProcess, onStopSignal } from '../stop-signal.ts'
import { endAtOnce } from './end-at-once.ts'
import { explainListenFailure } from './listen-failure.ts'
import { letNurseryGrow } from './nursery.ts'

/** After this the process ends, whatever is still under way. */
const STOP_TIMEOUT_MS = 25_000

export async function serve(config: Config): Promise<void> {
  const begun = letSignalsEndFirstProcess()
  const running = await start(config, () => {
    process.exit(EXIT_FAILURE)
  }).catch((error: unknown) => {
    throw explainListenFailure(error, config)
  })
  const stop = (): void => {
    const seconds = STOP_TIMEOUT_MS / 1_000
    const giveUp = (): void => endAtOnce(`what was under way is not done within ${seconds} s`)
    setTimeout(giveUp, STOP_TIMEOUT_MS).unref()
    running.stop().then(
      () => process.exit(0),
      (error: unknown) => endAtOnce(`could not stop cleanly: ${String(error)}`),
    )
  }
  onStopSignal().addEventListener('abort', stop)
  begun()
  letNurseryGrow()
  try {
    await announce(running, config)
  } catch (error) {
    // It would go on without a word of where it listens, and without a first key.
    await running.stop()
    throw error
  }
}

/** Throws when there is no room for the words; a server without readers goes on. */
async function announce({ service, console, address }: Running, config: Config): Promise<void> {
  const hasKeys = (await service.store.keys.list()).length > 0
  const first = hasKeys ? undefined : await createFirstKey(service)
  try {
    let text = `data is in ${placeOf(config)}\n`
    if (hasKeys) text += await accountHint(console)
    if (first !== undefined) {
      const own = reachable(address)
      text += `${firstKeyText(first.key, own)}${await setUpText(console, config.publicUrl ?? own)}`
    }
    await print(`${text}listening on ${address}\n`)
  } catch (error) {
    if (first !== undefined) process.stderr.write(`mnemograph: ${whenKeyIsLost(first.id)}\n`)
    if (!(error instanceof OutputClosed)) throw error
  }
}

/** Undefined when another instance was faster, and shows its key. */
async function createFirstKey({
  store,
  identify,
}: Service): Promise<{ id: string; key: string } | undefined> {
  let isFirst = false
  const keys = {
    insert: async (key: NewKey): Promise<void> => {
      isFirst = await store.keys.insertFirst(key)
    },
  }
  const created = await createKey(
    { keys, identify },
    { name: 'first key', plan: 'free', limits: NO_LIMITS_OF_ITS_OWN },
  )
  return isFirst ? created : undefined
}

const firstKeyText = (key: string, address: string): string => `
This is the first start, so here is a first API key (plan free). It is shown only this once:

  ${key}

Try it:

  curl ${address}/v1/memories \\
    -H 'Authorization: Bearer ${key}' \\
    -H 'Content-Type: application/json' \\
    -d '{"content":"Anna prefers dark roast coffee in the morning.","userId":"anna"}'

`

async function accountHint({ accounts }: Console): Promise<string> {
  if (await accounts.isSetUp()) return ''
  return 'the console has no account yet: "npx mnemograph accounts setup-link" prints a link\n'
}

async function setUpText(console: Console, address: string): Promise<string> {
  const link = await console.links.setUp()
  if (link === undefined) return ''
  return `Set up the console with this link. It works once, within 30 minutes:

  ${linkAddress(address, link.token)}

`
}
