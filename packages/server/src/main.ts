// The composition root: configuration → store → model → service → HTTP. Everything that the
// service is made of is opened here, in this order, and closed in the opposite one. While the threads of
// store and model start, what answers HTTP is loaded: they take most of the time until the first answer.
// decisions/2026-11-21-start.md
import { setImmediate as nextTurn } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance } from 'fastify'
import pino, { type DestinationStream, type Logger } from 'pino'
import { addressOf, type Config } from './config.ts'
import type { Console } from './console/console.ts'
import type { PasswordCost } from './console/passwords.ts'
import type { Wait } from './console/throttle.ts'
import { type Clock, systemClock } from './core/clock.ts'
import { ModelInUse } from './core/model-in-use.ts'
import type { Service } from './core/service.ts'
import type { Embedder } from './embedding/embedder.ts'
import { PIECES_VERSION } from './embedding/pieces-version.ts'
import type { Timeouts } from './http/app.ts'
import { type LogDestination, logToStderr } from './log-destination.ts'
import type { StartedModel } from './model-of-store.ts'
import type { Generation } from './storage/generation.ts'
import type { Store } from './storage/store.ts'
import { isOpenToAll, startStore } from './store-of-config.ts'

const SWEEP_INTERVAL_MS = 60 * 60 * 1000
const CONSOLE_FILES = fileURLToPath(new URL('../../console/dist/', import.meta.url))

export type Running = {
  /** `http://HOST:PORT`, with the port that was really taken. */
  address: string
  service: Service
  console: Console
  /** Serves what is under way, writes what is pending, closes everything; a second call waits. */
  stop(): Promise<void>
}

/** What tests put in the place of the real thing. No setting of a user reaches them. */
export type Substitutes = {
  embedder?: Embedder
  /** Opens the model that the store was moved to while the service ran. */
  openModel?: (generation: Generation) => Promise<Embedder>
  clock?: Clock
  timeouts?: Partial<Timeouts>
  logTo?: DestinationStream & Partial<Pick<LogDestination, 'flushSync'>>
  /** Cheaper hashes, and delays that do not last. */
  passwordCost?: PasswordCost
  wait?: Wait
  /** Another build of the console. */
  consoleFiles?: string
}

/**
 * Resolves once requests are accepted. Throws a StoreRefusal or an EmbedderRefusal when a person
 * has to do something first. `onDeath` hears of a failure after which the process must end.
 */
export async function start(
  config: Config,
  onDeath: (error: unknown) => void,
  substitutes: Substitutes = {},
): Promise<Running> {
  const logTo = substitutes.logTo ?? logToStderr()
  const logger = pino({ level: config.logLevel }, logTo)
  const onBackgroundError = (error: unknown) => {
    logger.error({ err: error }, 'background work failed')
  }
  const { store, ready } = await startStore(config, {
    onBackgroundError,
    onDeath: (error) => {
      logger.fatal({ err: error }, 'a storage thread failed')
      onDeath(error)
    },
    onUpgrade(schema) {
      logger.info(schema, 'the store is brought to the schema of this version, and answers then')
      // The embedded store holds this thread until it is done.
      logTo.flushSync?.()
    },
    onWaitForUpgrade() {
      logger.info('another instance brings the database to its schema: this one waits for it')
    },
  })
  if (isOpenToAll(config)) {
    logger.warn(
      { folder: config.dataDirectory },
      'everybody on this machine may write to the data folder, and so put another store in the place of this one: `chmod o-w` takes that from them',
    )
  }
  const { loaded, model } = await openModelAndLoad(
    config,
    { store, ready },
    { logger, substitutes },
  )
  const { createService, createConsole, createApp } = loaded
  const service = createService({
    store,
    model,
    clock: substitutes.clock ?? systemClock,
    onBackgroundError,
  })
  const console = createConsole(service, { onBackgroundError, ...substitutes })
  const sweep = setInterval(() => {
    service.idempotency.sweep().catch(onBackgroundError)
    console.sweep().catch(onBackgroundError)
  }, SWEEP_INTERVAL_MS)

  async function close(): Promise<void> {
    clearInterval(sweep)
    await service.usageJournal.close()
    // Whatever fails before: deleted text leaves the log only here, and the folder becomes free.
    await model.close().finally(() => store.close())
  }

  try {
    const app = await createApp(service, {
      logger,
      ...config,
      timeouts: substitutes.timeouts,
      console: {
        console,
        signUpIsOpen: config.consoleSignUp === 'open',
        publicUrl: config.publicUrl,
        directory: substitutes.consoleFiles ?? CONSOLE_FILES,
      },
    })
    const address = await listen(app, config)
    let stopped: Promise<void> | undefined
    const stop = (): Promise<void> => {
      stopped ??= app.close().finally(close)
      return stopped
    }
    return { address, service, console, stop }
  } catch (error) {
    // Why it did not start is what people have to know.
    await close().catch(onBackgroundError)
    throw error
  }
}

type Started = { store: Store; ready: Promise<void> }
type Surroundings = { logger: Logger; substitutes: Substitutes }

/** The model, and the code that answers requests, which is loaded while the threads start. */
async function openModelAndLoad(
  config: Config,
  { store, ready }: Started,
  { logger, substitutes }: Surroundings,
) {
  const models = import('./model-of-store.ts')
  const opening = models.then(({ openModelAtStart }) =>
    openModelAtStart(config, store.generations, {
      embedder: substitutes.embedder,
      onOtherPieces({ id, piecesVersion }) {
        const way = piecesVersion < PIECES_VERSION ? 'a new way' : 'the way of before'
        logger.warn(
          { model: id },
          `texts are prepared in ${way} by this version: \`mnemograph reembed\`, with the settings of ` +
            'this server, makes the vectors of this model anew',
        )
      },
    }),
  )
  // Not before the threads of the model are on their way.
  const loading = models.then(() => nextTurn()).then(loadService)
  const { loaded, opened } = await whenAll({ store, ready, opening, loading })
  const model = new ModelInUse(opened, {
    generations: store.generations,
    open: substitutes.openModel ?? opened.open,
    onFailure: (error) => {
      logger.error({ err: error }, 'following the store to another model has failed')
    },
    onMoved: ({ id, number }) => {
      logger.info({ model: id, generation: number }, 'the store was re-embedded, and is followed')
    },
  })
  return { loaded, model }
}

/** What answers requests: half of what the process loads. */
async function loadService() {
  const [{ createService }, { createConsole }, { createApp }] = await Promise.all([
    import('./core/service.ts'),
    import('./console/console.ts'),
    import('./http/app.ts'),
  ])
  return { createService, createConsole, createApp }
}

/** Once the store is ready as well. When one of them fails, the others are closed: their threads would stay. */
async function whenAll<Loaded>({
  store,
  ready,
  opening,
  loading,
}: Started & { opening: Promise<StartedModel>; loading: Promise<Loaded> }) {
  const [stored, opened, loaded] = await Promise.allSettled([ready, opening, loading])
  const failure = [stored, opened, loaded].find((outcome) => outcome.status === 'rejected')
  if (opened.status === 'fulfilled' && loaded.status === 'fulfilled' && failure === undefined) {
    return { opened: opened.value, loaded: loaded.value }
  }
  if (opened.status === 'fulfilled') await opened.value.embedder.close()
  if (stored.status === 'fulfilled') await store.close()
  throw failure?.reason
}

async function listen(app: FastifyInstance, { host, port }: Config): Promise<string> {
  await app.listen({ host, port, listenTextResolver: () => 'accepting requests' })
  const bound = app.server.address()
  const actualPort = typeof bound === 'object' && bound !== null ? bound.port : port
  return addressOf({ host, port: actualPort })
}
