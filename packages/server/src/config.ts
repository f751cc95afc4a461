// The only reader of settings in the environment. A name or a value that means nothing stops the start
// with a text that says what is allowed: a setting with a typing error must not be ignored in silence.
// decisions/2026-11-21-names-and-ids.md
import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { encryptionFault } from './database-encryption.ts'
import type { EmbedderConfig } from './embedding/embedder-config.ts'
import { isProxyRange, PROXY_RANGES } from './trusted-proxies.ts'

export type Config = {
  host: string
  port: number
  dataDirectory: string
  /** Undefined: the data is in the folder. */
  database: DatabaseConfig | undefined
  logLevel: LogLevel
  corsOrigins: string[]
  trustedProxies: string[]
  /** The address under which people reach the service, when it is not the one it listens on. */
  publicUrl: string | undefined
  /** Whether anybody may make an account of the console, or only who was invited. */
  consoleSignUp: 'open' | 'closed'
  /** Undefined when no setting names a model: then it is the one that the store was made with. */
  embedder: EmbedderConfig | undefined
  /** Holds for whichever model is used. */
  embedding: EmbeddingConfig
}

type DatabaseConfig = {
  /** With its password. Never shown. */
  url: string
  /** Of this instance, at most. */
  connectionsMax: number
  /** Whether a server is refused that may lose what it has acknowledged. */
  durability: 'required' | 'unchecked'
}

type EmbeddingConfig = {
  workers: number
  /** Of a service; a local model's is in its manifest. */
  calibrationFile: string | undefined
  apiKey: string | undefined
  timeoutMs: number
  retries: number
}

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'silent'] as const
type LogLevel = (typeof LOG_LEVELS)[number]

const NAMES = [
  'MNEMOGRAPH_DATA_DIR',
  'MNEMOGRAPH_DATABASE_CONNECTIONS',
  'MNEMOGRAPH_DATABASE_DURABILITY',
  'MNEMOGRAPH_LOG_LEVEL',
  'MNEMOGRAPH_CORS_ORIGINS',
  'MNEMOGRAPH_TRUSTED_PROXIES',
  'MNEMOGRAPH_PUBLIC_URL',
  'MNEMOGRAPH_CONSOLE_SIGN_UP',
  'MNEMOGRAPH_EMBEDDER',
  'MNEMOGRAPH_MODEL_DIR',
  'MNEMOGRAPH_EMBEDDING_WORKERS',
  'MNEMOGRAPH_EMBEDDING_URL',
  'MNEMOGRAPH_EMBEDDING_KEY',
  'MNEMOGRAPH_EMBEDDING_MODEL',
  'MNEMOGRAPH_EMBEDDING_DIMENSION',
  'MNEMOGRAPH_EMBEDDING_CALIBRATION',
  'MNEMOGRAPH_EMBEDDING_TIMEOUT_MS',
  'MNEMOGRAPH_EMBEDDING_RETRIES',
] as const

/** Those that other programs go by as well. */
const NAMES_OF_MANY = ['PORT', 'HOST', 'DATABASE_URL']

/** These choose a service. The others also hold for one that the store was moved to. */
const NAMES_OF_SERVICE = [
  'MNEMOGRAPH_EMBEDDING_URL',
  'MNEMOGRAPH_EMBEDDING_MODEL',
  'MNEMOGRAPH_EMBEDDING_DIMENSION',
] as const

/** The environment says something that cannot be followed. The message says what is allowed. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

type Environment = Readonly<Record<string, string | undefined>>

/** By which the service is reached where it listens. */
export const addressOf = ({ host, port }: Pick<Config, 'host' | 'port'>): string =>
  `http://${host.includes(':') ? `[${host}]` : host}:${port}`

/** Throws a ConfigError for the first name or value that means nothing. */
export function readConfig(environment: Environment = process.env): Config {
  refuseUnknownNames(environment)
  const embedding = embeddingConfig(environment)
  return {
    host: environment['HOST'] || '127.0.0.1',
    port: wholeNumber(environment, 'PORT', { min: 0, max: 65_535, otherwise: 8080 }),
    dataDirectory: resolve(environment['MNEMOGRAPH_DATA_DIR'] || './data'),
    database: databaseConfig(environment),
    logLevel: oneOf(environment, 'MNEMOGRAPH_LOG_LEVEL', LOG_LEVELS, 'info'),
    corsOrigins: list(environment['MNEMOGRAPH_CORS_ORIGINS']).map(origin),
    trustedProxies: list(environment['MNEMOGRAPH_TRUSTED_PROXIES']).map(proxyRange),
    publicUrl: publicUrl(environment['MNEMOGRAPH_PUBLIC_URL']),
    consoleSignUp: oneOf(environment, 'MNEMOGRAPH_CONSOLE_SIGN_UP', ['open', 'closed'], 'closed'),
    embedder: embedderConfig(environment, embedding),
    embedding,
  }
}

function embeddingConfig(environment: Environment): EmbeddingConfig {
  const calibrationFile = environment['MNEMOGRAPH_EMBEDDING_CALIBRATION']
  return {
    calibrationFile: calibrationFile ? resolve(calibrationFile) : undefined,
    workers: wholeNumber(environment, 'MNEMOGRAPH_EMBEDDING_WORKERS', {
      min: 1,
      max: 64,
      otherwise: Math.min(availableParallelism(), 4),
    }),
    apiKey: headerValue(environment, 'MNEMOGRAPH_EMBEDDING_KEY'),
    timeoutMs: wholeNumber(environment, 'MNEMOGRAPH_EMBEDDING_TIMEOUT_MS', {
      min: 1,
      // Node's fetch waits no longer for an answer to begin.
      max: 300_000,
      otherwise: 10_000,
    }),
    retries: wholeNumber(environment, 'MNEMOGRAPH_EMBEDDING_RETRIES', {
      min: 0,
      max: 10,
      otherwise: 2,
    }),
  }
}

function embedderConfig(
  environment: Environment,
  { workers, ...remote }: EmbeddingConfig,
): EmbedderConfig | undefined {
  const directory = environment['MNEMOGRAPH_MODEL_DIR']
  const kind = oneOf(environment, 'MNEMOGRAPH_EMBEDDER', ['local', 'openai'], 'local')
  if (kind === 'local') {
    const ofService = NAMES_OF_SERVICE.find((name) => environment[name])
    if (ofService !== undefined) {
      throw new ConfigError(`${ofService} needs MNEMOGRAPH_EMBEDDER=openai.`)
    }
    if (!environment['MNEMOGRAPH_EMBEDDER'] && !directory) return undefined
    return { kind, workers, modelDirectory: directory ? resolve(directory) : undefined }
  }
  if (directory) {
    throw new ConfigError('MNEMOGRAPH_MODEL_DIR is not for MNEMOGRAPH_EMBEDDER=openai: unset one.')
  }
  return {
    kind,
    baseUrl: httpUrl(environment, 'MNEMOGRAPH_EMBEDDING_URL'),
    model: required(environment, 'MNEMOGRAPH_EMBEDDING_MODEL'),
    dimension: wholeNumber(environment, 'MNEMOGRAPH_EMBEDDING_DIMENSION', { min: 1, max: 8_192 }),
    ...remote,
  }
}

function refuseUnknownNames(environment: Environment): void {
  const known: readonly string[] = NAMES
  for (const name of Object.keys(environment)) {
    if (name.startsWith('MNEMOGRAPH_') && !known.includes(name)) {
      const all = [...NAMES_OF_MANY, ...NAMES].join(', ')
      throw new ConfigError(`${name} is not a setting. Known are: ${all}.`)
    }
  }
}

function databaseConfig(environment: Environment): DatabaseConfig | undefined {
  const url = environment['DATABASE_URL']
  const durability = oneOf(
    environment,
    'MNEMOGRAPH_DATABASE_DURABILITY',
    ['required', 'unchecked'],
    'required',
  )
  const connectionsMax = wholeNumber(environment, 'MNEMOGRAPH_DATABASE_CONNECTIONS', {
    min: 2,
    max: 1_000,
    otherwise: 10,
  })
  if (!url) return undefined
  return { url: postgresUrl(url, environment['PGSSLMODE']), connectionsMax, durability }
}

/** Never repeats the address: it may hold a password. */
function postgresUrl(text: string, sslMode: string | undefined): string {
  const url = URL.parse(text)
  const isPostgres = url !== null && /^postgres(ql)?:$/.test(url.protocol)
  // A slash in a password makes the rest of it, and the host, look like the name of the database.
  if (isPostgres && url.hostname !== '' && /^\/[^@]+$/.test(url.pathname)) {
    const fault = encryptionFault(url, sslMode)
    if (fault === undefined) return encoded(url)
    throw new ConfigError(fault)
  }
  throw new ConfigError(
    'DATABASE_URL must be the address of a PostgreSQL database, such as ' +
      'postgres://user:password@host:5432/database, where an @ in the password is written as %40, a ' +
      '/ as %2F, a # as %23, a ? as %3F, a % as %25. Unset it to store in MNEMOGRAPH_DATA_DIR.',
  )
}

/** Beside a space, or a % that encodes nothing, the driver would leave the %2F of a password as it is. */
const encoded = ({ href }: URL): string => href.replace(/%(?![0-9a-f]{2})/gi, '%25')

function wholeNumber(
  environment: Environment,
  name: string,
  { min, max, otherwise }: { min: number; max: number; otherwise?: number },
): number {
  const text = environment[name]
  if (!text && otherwise !== undefined) return otherwise
  const value = /^\d{1,9}$/.test(text ?? '') ? Number(text) : Number.NaN
  if (value >= min && value <= max) return value
  throw new ConfigError(`${name} must be a whole number from ${min} to ${max}.`)
}

function oneOf<Value extends string>(
  environment: Environment,
  name: string,
  values: readonly Value[],
  otherwise: Value,
): Value {
  const text = environment[name]
  if (!text) return otherwise
  const value = values.find((candidate) => candidate === text)
  if (value !== undefined) return value
  throw new ConfigError(`${name} must be one of: ${values.join(', ')}.`)
}

function required(environment: Environment, name: string): string {
  const value = environment[name]
  if (value) return value
  throw new ConfigError(`${name} must be set when MNEMOGRAPH_EMBEDDER is openai.`)
}

function httpUrl(environment: Environment, name: string): string {
  const text = required(environment, name)
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new ConfigError(`${name} must be an http or https address.`)
  }
  if (url.username === '' && url.password === '') return text
  throw new ConfigError(`${name} must not hold a password: use MNEMOGRAPH_EMBEDDING_KEY.`)
}

/** What cannot be sent in a header would end up in the error that says so. */
function headerValue(environment: Environment, name: string): string | undefined {
  const text = environment[name]
  if (!text) return undefined
  if (/^[\x21-\x7e]+$/.test(text)) return text
  throw new ConfigError(`${name} must consist of visible ASCII characters.`)
}

const list = (text: string | undefined): string[] =>
  (text ?? '')
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')

function publicUrl(text: string | undefined): string | undefined {
  if (!text) return undefined
  if (URL.canParse(text) && new URL(text).origin === text && /^https?:/.test(text)) return text
  throw new ConfigError(
    'MNEMOGRAPH_PUBLIC_URL must be an address without a path and a slash at its end, such as ' +
      'https://memory.example.com.',
  )
}

function proxyRange(text: string): string {
  if (isProxyRange(text)) return text
  throw new ConfigError(`MNEMOGRAPH_TRUSTED_PROXIES must be ${PROXY_RANGES}.`)
}

function origin(text: string): string {
  // An asterisk is a letter of a host to URL. No page comes from such a host, so it would admit nobody.
  if (!text.includes('*') && URL.canParse(text) && new URL(text).origin === text) return text
  throw new ConfigError(
    'MNEMOGRAPH_CORS_ORIGINS must be origins separated by commas, without wildcards and without a slash at ' +
      'their end, such as https://app.example.com.',
  )
}
