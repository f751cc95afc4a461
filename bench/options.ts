// The command line of `npm run bench`, read and checked before anything is measured.
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { FULL, QUICK, type Scale } from './bench.ts'
import { cacheFolder } from './data/cache-folder.ts'

export const USAGE = `npm run bench -- [--quick] [--peers] [--only ROW,ROW] [--sizes N,N] [--memories N]
                 [--spaces N] [--json FILE] [--write-docs] [--from FILE] [--store postgres]
  --quick            less data, under three minutes
  --peers            installs the peers outside the project, and asks them too
  --only ROW,ROW     these rows alone
  --sizes N,N        other numbers of memories
  --memories N       real texts to embed; with --store postgres, memories of the large space
  --spaces N         spaces of a hundred memories each
  --json FILE        where the figures go
  --write-docs       renews docs/performance.md
  --from FILE        with --write-docs: the figures of an earlier run, nothing is measured
  --store postgres   the shared store instead, with --memories and --spaces
`

export type Options = {
  scale: Scale
  isPostgres: boolean
  /** Keys of rows; undefined for all. */
  only: string[] | undefined
  withPeers: boolean
  json: string
  writesDocs: boolean
  from: string | undefined
  /** The sizes for the shared store. */
  shared: { large: number; spaces: number }
  /** The options that were given, for the report. */
  text: string
}

/** `rows`: the keys that `--only` may name. Throws an Error that says what is wrong. */
export function readOptions(args: string[], rows: readonly string[]): Options {
  const { values } = parseArgs({
    args,
    options: {
      quick: { type: 'boolean', default: false },
      peers: { type: 'boolean', default: false },
      only: { type: 'string' },
      sizes: { type: 'string' },
      memories: { type: 'string' },
      spaces: { type: 'string' },
      json: { type: 'string' },
      'write-docs': { type: 'boolean', default: false },
      from: { type: 'string' },
      store: { type: 'string', default: 'sqlite' },
    },
  })
  const only = values.only?.split(',')
  const unknown = only?.find((key) => !rows.includes(key))
  if (unknown !== undefined) {
    throw new Error(`There is no row ${unknown}. There are: ${rows.join(', ')}.`)
  }
  if (values.store !== 'sqlite' && values.store !== 'postgres') {
    throw new Error(`--store is sqlite or postgres, not ${values.store}.`)
  }
  const base = values.quick ? QUICK : FULL
  const sizes = values.sizes?.split(',').map(positive)
  const shown = ['quick', 'peers', 'only', 'sizes', 'memories', 'spaces'] as const
  return {
    scale: {
      ...base,
      ...(sizes === undefined ? {} : onlySizes(base, sizes)),
      ...(values.memories === undefined ? {} : { embedded: positive(values.memories) }),
      ...(values.spaces === undefined ? {} : { spaces: positive(values.spaces) }),
    },
    isPostgres: values.store === 'postgres',
    only,
    withPeers: values.peers,
    json: values.json ?? join(cacheFolder('reports'), `${Date.now()}.json`),
    writesDocs: values['write-docs'],
    from: values.from,
    shared: {
      large: positive(values.memories ?? '100000'),
      spaces: positive(values.spaces ?? '10000'),
    },
    text: shown
      .flatMap((name) => {
        const value = values[name]
        if (value === undefined || value === false) return []
        return value === true ? [`--${name}`] : [`--${name} ${value}`]
      })
      .join(' '),
  }
}

const onlySizes = (base: Scale, sizes: number[]): Partial<Scale> => ({
  sizes,
  severalSizes: base.severalSizes.filter((size) => size <= Math.max(...sizes)),
  recallSizes: base.recallSizes.filter((size) => size <= Math.max(...sizes)),
  peerSizes: sizes,
})

function positive(text: string): number {
  const value = Number(text)
  if (Number.isInteger(value) && value > 0) return value
  throw new Error(`${text} is not a whole number above 0.`)
}
