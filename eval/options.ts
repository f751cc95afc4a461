// The command line of `npm run eval`, read and checked before anything is started.
import { parseArgs } from 'node:util'

export const USAGE = `npm run eval -- [--locomo FILE] [--sts FILE] [--limit-conversations N] [--rewordings]
                [--quick | --regression] [--json FILE] [--url URL --key KEY]
  --locomo FILE            conversations and questions of LoCoMo
  --sts FILE               sentence pairs of the STS benchmark, CSV
  --limit-conversations N  only the first N conversations
  --rewordings             ask LoCoMo's questions in lower case and without names too
  --quick                  the service alone, without baselines, latency and ablations
  --regression             nothing but the project's own regression set
  --json FILE              write all figures as JSON, too
  --url URL --key KEY      a running server and a key without limits whose space is empty
`

export type Options = {
  locomo: string | undefined
  sts: string | undefined
  conversationsMax: number
  rewordings: boolean
  /** Without baselines, latency and ablations. */
  quick: boolean
  /** The regression set and nothing else. */
  regression: boolean
  json: string | undefined
  /** A running server; absent when one is to be started. */
  server: { url: string; key: string } | undefined
}

const SPECIFICATION = {
  locomo: { type: 'string' },
  sts: { type: 'string' },
  'limit-conversations': { type: 'string' },
  rewordings: { type: 'boolean' },
  quick: { type: 'boolean' },
  regression: { type: 'boolean' },
  json: { type: 'string' },
  url: { type: 'string' },
  key: { type: 'string' },
} as const

/** Throws an Error that says what is wrong. */
export function readOptions(args: string[]): Options {
  const { values } = parseArgs({ args, options: SPECIFICATION })
  const { url, key } = values
  if ((url === undefined) !== (key === undefined))
    throw new Error('--url and --key belong together.')
  const limit = values['limit-conversations']
  if (limit !== undefined && !/^[1-9]\d*$/.test(limit)) {
    throw new Error('--limit-conversations must be a whole number from 1 on.')
  }
  return {
    locomo: values.locomo,
    sts: values.sts,
    conversationsMax: limit === undefined ? Number.POSITIVE_INFINITY : Number(limit),
    rewordings: values.rewordings === true,
    quick: values.quick === true,
    regression: values.regression === true,
    json: values.json,
    server: url === undefined || key === undefined ? undefined : { url, key },
  }
}
