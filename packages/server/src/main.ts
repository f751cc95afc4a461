// The composition root: configuration → store → embedder → service → HTTP. Everything that the
// service is made of is opened here, in this order, and closed in the opposite one.
import type { FastifyInstance } from 'fastify'
import pino, { type DestinationStream } from 'pino'
import type { Config } from './config.ts'
import { type Clock, systemClock } from './core/clock.ts'
import { createService, type Service } from './core/service.ts'
import type { Embedder } from './embedding/embedder.ts'
import { openEmbedder } from './embedding/open-embedder.ts'
import { readVocabulary } from './embedding/vocabulary.ts'
import { createApp, type Timeouts } from './http/app.ts'
import { rarityOf } from './retrieval/rarity.ts'
import { openSqliteStore } from './storage/sqlite/open-store.ts'

const IDEMPOTENCY_SWEEP_INTERVAL_MS = 60 * 60 * 1000

export type Running = {
  /** `http://HOST:PORT`, with the port that was really taken. */
  address: string
  service: Service
  /** Serves what is under way, writes what is pending, closes everything; a second call waits. */
  stop(): Promise<void>
}

/** What tests put in the place of the real thing. No setting of a user reaches them. */
export type Substitutes = {
  embedder?: Embedder
  clock?: Clock
  timeouts?: Partial<Timeouts>
  logTo?: DestinationStream
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
  const logTo = substitutes.logTo ?? pino.destination({ fd: 2, sync: false })
  const logger = pino({ level: config.logLevel }, logTo)
  const embedder = substitutes.embedder ?? (await openEmbedder(config.embedder))
  const store = await openSqliteStore({
    directory: config.dataDirectory,
    model: embedder.model,
    onDeath: (error) => {
      logger.fatal({ err: error }, 'a storage thread failed')
      onDeath(error)
    },
  }).catch(async (error: unknown) => {
    await embedder.close()
    throw error
  })
  const onBackgroundError = (error: unknown) => {
    logger.error({ err: error }, 'background work failed')
  }
  const service = createService({
    store,
    embedder,
    rarity: rarityOf(readVocabulary()),
    clock: substitutes.clock ?? systemClock,
    onBackgroundError,
  })
  const sweep = setInterval(() => {
    service.idempotency.sweep().catch(onBackgroundError)
  }, IDEMPOTENCY_SWEEP_INTERVAL_MS)

  async function close(): Promise<void> {
    clearInterval(sweep)
    await service.usageJournal.close()
    await embedder.close()
    await store.close()
  }

  try {
    const app = await createApp(service, {
      logger,
      ...config,
      timeouts: substitutes.timeouts,
    })
    const address = await listen(app, config)
    const stopOnce = async (): Promise<void> => {
      await app.close()
      await close()
    }
    let stopped: Promise<void> | undefined
    const stop = (): Promise<void> => {
      stopped ??= stopOnce()
      return stopped
    }
    return { address, service, stop }
  } catch (error) {
    await close()
    throw error
  }
}

async function listen(app: FastifyInstance, { host, port }: Config): Promise<string> {
  await app.listen({ host, port, listenTextResolver: () => 'accepting requests' })
  const bound = app.server.address()
  const actualPort = typeof bound === 'object' && bound !== null ? bound.port : port
  return `http://${host.includes(':') ? `[${host}]` : host}:${actualPort}`
}
