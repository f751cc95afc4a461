// A setting is taken as it says, or stops the start with what is allowed: none is ignored in silence,
// and no refusal repeats a secret.
import { resolve } from 'node:path'
import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { ConfigError, readConfig } from './config.ts'

const OPENAI = {
  MNEMOGRAPH_EMBEDDER: 'openai',
  MNEMOGRAPH_EMBEDDING_URL: 'https://models.example.com/v1',
  MNEMOGRAPH_EMBEDDING_MODEL: 'some-model',
  MNEMOGRAPH_EMBEDDING_DIMENSION: '768',
}

const DATABASE_URL = 'postgres://memory:secret@db.example.com:5432/memories'

function refusalOf(environment: Record<string, string>): string {
  try {
    readConfig(environment)
  } catch (error) {
    if (error instanceof ConfigError) return error.message
    throw error
  }
  throw new Error('The environment was not refused.')
}

describe('the configuration', () => {
  test('has a default for everything', () => {
    expect(readConfig({})).toMatchObject({
      host: '127.0.0.1',
      port: 8080,
      dataDirectory: resolve('data'),
      logLevel: 'info',
      corsOrigins: [],
      trustedProxies: [],
      publicUrl: undefined,
      consoleSignUp: 'closed',
      embedder: undefined,
      embedding: { apiKey: undefined, timeoutMs: 10_000, retries: 2 },
    })
  })

  test('takes the address of a database, and what is to be demanded of it', () => {
    const url = DATABASE_URL
    expect(readConfig({}).database).toBeUndefined()
    expect(readConfig({ DATABASE_URL: '' }).database).toBeUndefined()
    expect(readConfig({ DATABASE_URL: url }).database).toEqual({
      url,
      connectionsMax: 10,
      durability: 'required',
    })
    const settings = {
      MNEMOGRAPH_DATABASE_CONNECTIONS: '50',
      MNEMOGRAPH_DATABASE_DURABILITY: 'unchecked',
    }
    expect(readConfig({ DATABASE_URL: url, ...settings }).database).toEqual({
      url,
      connectionsMax: 50,
      durability: 'unchecked',
    })
  })

  test.each(['mysql://u:secret@h/d', 'postgres://h', 'postgres://h/', '/secret', 'postgres:d'])(
    'refuses the address %s, and never repeats it: it may hold a password',
    (url) => {
      const refusal = refusalOf({ DATABASE_URL: url })
      expect(refusal).toContain('DATABASE_URL must be')
      expect(refusal).not.toContain('secret')
    },
  )

  test.each(['postgres://u:se/cret@h/d', 'postgres://u:7/secret@h/d', 'postgres://u:#secret@h/d'])(
    'says how a password such as that of %s is written',
    (url) => {
      const refusal = refusalOf({ DATABASE_URL: url })
      expect(refusal).toContain('%40')
      expect(refusal).not.toContain('cret')
    },
  )

  test.each([
    [' postgres://memory:p%2Fw@db/memories\n', 'p/w'],
    ['postgres://memory:a b%2Fw@db/memories', 'a b/w'],
    ['postgres://memory:p%2Fw@db/memories?options=-c work_mem=1MB', 'p/w'],
    ['postgres://memory:50%off%2Fw@db/memories', '50%off/w'],
  ])('hands %j to the driver so that it reads the password %j', (url, password) => {
    const connectionString = readConfig({ DATABASE_URL: url }).database?.url
    const client = new pg.Client({ connectionString })
    expect([client.user, client.password, client.host, client.database]).toEqual([
      'memory',
      password,
      'db',
      'memories',
    ])
  })

  test.each(['verify_full', 'VERIFY-FULL', 'allow', ''])(
    'refuses sslmode=%s, which the driver does not know, and says what it knows',
    (mode) => {
      const refusal = refusalOf({ DATABASE_URL: `${DATABASE_URL}?sslmode=${mode}` })
      expect(refusal).toContain('sslmode in DATABASE_URL must be one of: disable,')
      expect(refusal).not.toContain('secret')
    },
  )

  test.each(['sslmod=verify-full', 'SSLMODE=verify-full', 'tls=true', 'ssl_mode=require'])(
    'refuses ?%s, which would be ignored, and texts sent as they are',
    (parameter) => {
      const refusal = refusalOf({ DATABASE_URL: `${DATABASE_URL}?${parameter}` })
      expect(refusal).toContain('DATABASE_URL must not have')
      expect(refusal).not.toContain('secret')
    },
  )

  test('refuses a PGSSLMODE that the driver does not know, where it would count', () => {
    const unknown = { PGSSLMODE: 'verifyfull' }
    expect(refusalOf({ DATABASE_URL, ...unknown })).toContain('PGSSLMODE must be one of: disable,')
    expect(readConfig(unknown).database).toBeUndefined()
    const asked = `${DATABASE_URL}?sslmode=verify-full&sslrootcert=/etc/ca.pem`
    expect(readConfig({ DATABASE_URL: asked, ...unknown }).database?.url).toBe(asked)
    for (const PGSSLMODE of ['', 'verify-full', 'no-verify']) {
      expect(readConfig({ DATABASE_URL, PGSSLMODE }).database?.url).toBe(DATABASE_URL)
    }
  })

  test('takes an empty value for an absent one', () => {
    const empty = { PORT: '', HOST: '', MNEMOGRAPH_DATA_DIR: '', MNEMOGRAPH_EMBEDDER: '' }
    expect(readConfig(empty)).toEqual(readConfig({}))
  })

  test('is what the environment says', () => {
    const config = readConfig({
      HOST: '::',
      PORT: '0',
      MNEMOGRAPH_DATA_DIR: '/srv/memories',
      MNEMOGRAPH_LOG_LEVEL: 'debug',
      MNEMOGRAPH_CORS_ORIGINS: 'https://a.example.com, http://localhost:3000',
      MNEMOGRAPH_TRUSTED_PROXIES: '10.0.0.0/8,::1',
      MNEMOGRAPH_EMBEDDING_WORKERS: '3',
      MNEMOGRAPH_MODEL_DIR: 'models/other',
      UNRELATED: 'is left alone',
    })
    expect(config).toMatchObject({
      host: '::',
      port: 0,
      dataDirectory: '/srv/memories',
      logLevel: 'debug',
      corsOrigins: ['https://a.example.com', 'http://localhost:3000'],
      trustedProxies: ['10.0.0.0/8', '::1'],
      embedder: { kind: 'local', workers: 3, modelDirectory: resolve('models/other') },
    })
  })

  test('names a model only when a setting does: otherwise it is the one of the store', () => {
    const local = { kind: 'local', modelDirectory: undefined }
    expect(readConfig({ MNEMOGRAPH_EMBEDDING_WORKERS: '1' }).embedder).toBeUndefined()
    expect(readConfig({ MNEMOGRAPH_EMBEDDER: 'local' }).embedder).toMatchObject(local)
  })

  test('describes an embedding service', () => {
    expect(readConfig(OPENAI).embedder).toEqual({
      kind: 'openai',
      baseUrl: 'https://models.example.com/v1',
      apiKey: undefined,
      model: 'some-model',
      dimension: 768,
      timeoutMs: 10_000,
      retries: 2,
    })
    const changed = {
      ...OPENAI,
      MNEMOGRAPH_EMBEDDING_KEY: 'sk-1',
      MNEMOGRAPH_EMBEDDING_TIMEOUT_MS: '500',
      MNEMOGRAPH_EMBEDDING_RETRIES: '0',
      MNEMOGRAPH_EMBEDDING_CALIBRATION: 'models/calibration.json',
    }
    expect(readConfig(changed).embedder).toMatchObject({
      apiKey: 'sk-1',
      timeoutMs: 500,
      retries: 0,
      calibrationFile: resolve('models/calibration.json'),
    })
  })
})

describe('a start is refused', () => {
  test('for a name that means nothing, and told the names that do', () => {
    const message = refusalOf({ MNEMOGRAPH_DATADIR: '/srv/memories' })
    expect(message).toContain('MNEMOGRAPH_DATADIR is not a setting')
    expect(message).toContain('MNEMOGRAPH_DATA_DIR')
    expect(refusalOf({ MNEMOGRAPH_PORT: '80' })).toContain('Known are: PORT, HOST, DATABASE_URL,')
  })

  test('for the fake model of the tests', () => {
    expect(refusalOf({ MNEMOGRAPH_EMBEDDER: 'fake' })).toBe(
      'MNEMOGRAPH_EMBEDDER must be one of: local, openai.',
    )
  })

  test.each([
    ['PORT', 'http', 'a whole number from 0 to 65535'],
    ['PORT', '65536', 'a whole number from 0 to 65535'],
    ['PORT', '-1', 'a whole number from 0 to 65535'],
    ['PORT', '80.5', 'a whole number from 0 to 65535'],
    ['PORT', ' 80', 'a whole number from 0 to 65535'],
    ['MNEMOGRAPH_LOG_LEVEL', 'INFO', 'one of: fatal, error'],
    ['MNEMOGRAPH_CORS_ORIGINS', '*', 'origins'],
    ['MNEMOGRAPH_CORS_ORIGINS', 'https://app.example.com/', 'without a slash at their end'],
    ['MNEMOGRAPH_CORS_ORIGINS', 'https://*.example.com', 'without wildcards'],
    ['MNEMOGRAPH_TRUSTED_PROXIES', 'foo', 'addresses, ranges such as 10.0.0.0/8'],
    ['MNEMOGRAPH_TRUSTED_PROXIES', '10.0.0.0/8,10.0.0.0/40', 'loopback, linklocal, uniquelocal'],
    ['MNEMOGRAPH_EMBEDDING_WORKERS', '0', 'a whole number from 1 to 64'],
  ])('for %s=%j, and told what is allowed', (name, value, allowed) => {
    const message = refusalOf({ [name]: value })
    expect(message).toContain(name)
    expect(message).toContain(allowed)
  })

  test.each([
    ['MNEMOGRAPH_EMBEDDING_URL', '', 'must be set'],
    ['MNEMOGRAPH_EMBEDDING_URL', 'models.example.com', 'http or https'],
    ['MNEMOGRAPH_EMBEDDING_URL', 'ftp://models.example.com', 'http or https'],
    ['MNEMOGRAPH_EMBEDDING_URL', 'https://me:secret@models.example.com', '_EMBEDDING_KEY'],
    ['MNEMOGRAPH_EMBEDDING_KEY', 'secret\n', 'visible ASCII'],
    ['MNEMOGRAPH_EMBEDDING_KEY', 'secrét', 'visible ASCII'],
    ['MNEMOGRAPH_EMBEDDING_KEY', 'secret key', 'visible ASCII'],
    ['MNEMOGRAPH_EMBEDDING_MODEL', '', 'must be set'],
    ['MNEMOGRAPH_EMBEDDING_DIMENSION', '', 'a whole number from 1 to 8192'],
    ['MNEMOGRAPH_EMBEDDING_DIMENSION', '0', 'a whole number from 1 to 8192'],
    ['MNEMOGRAPH_EMBEDDING_TIMEOUT_MS', '10s', 'a whole number from 1 to 300000'],
    ['MNEMOGRAPH_EMBEDDING_TIMEOUT_MS', '300001', 'a whole number from 1 to 300000'],
    ['MNEMOGRAPH_EMBEDDING_RETRIES', '11', 'a whole number from 0 to 10'],
  ])('of a service for %s=%j, without repeating secrets', (name, value, allowed) => {
    const message = refusalOf({ ...OPENAI, [name]: value })
    expect(message).toContain(name)
    expect(message).toContain(allowed)
    expect(message).not.toMatch(/secr/)
  })
})

describe('a setting of the other kind of embedder is not ignored', () => {
  const ofService = [
    ['MNEMOGRAPH_EMBEDDING_URL', 'https://models.example.com/v1'],
    ['MNEMOGRAPH_EMBEDDING_URL', 'no address'],
    ['MNEMOGRAPH_EMBEDDING_MODEL', 'some-model'],
    ['MNEMOGRAPH_EMBEDDING_DIMENSION', '768'],
  ] as const

  test.each(ofService)('%s=%s needs a service', (name, value) => {
    const others = [{}, { MNEMOGRAPH_EMBEDDER: 'local' }, { MNEMOGRAPH_MODEL_DIR: 'models/other' }]
    for (const other of others) {
      expect(refusalOf({ ...other, [name]: value })).toBe(
        `${name} needs MNEMOGRAPH_EMBEDDER=openai.`,
      )
    }
    expect(readConfig({ [name]: '' })).toEqual(readConfig({}))
  })

  test('the folder of a model needs a local one', () => {
    const refusal = refusalOf({ ...OPENAI, MNEMOGRAPH_MODEL_DIR: 'models/other' })
    expect(refusal).toContain('MNEMOGRAPH_MODEL_DIR is not for MNEMOGRAPH_EMBEDDER=openai')
  })

  test('what a store may need that was moved to a service holds without it, and is checked', () => {
    const settings = {
      MNEMOGRAPH_EMBEDDING_KEY: 'sk-1',
      MNEMOGRAPH_EMBEDDING_CALIBRATION: '/calibration.json',
      MNEMOGRAPH_EMBEDDING_TIMEOUT_MS: '500',
      MNEMOGRAPH_EMBEDDING_RETRIES: '0',
    }
    expect(readConfig(settings).embedding).toMatchObject({
      apiKey: 'sk-1',
      calibrationFile: '/calibration.json',
      timeoutMs: 500,
      retries: 0,
    })
    expect(refusalOf({ ...settings, MNEMOGRAPH_EMBEDDING_RETRIES: '11' })).toContain(
      '_RETRIES must',
    )
  })
})

describe('the settings of the console', () => {
  test('are a public address without a path, and whether sign-up is open', () => {
    const given = {
      MNEMOGRAPH_PUBLIC_URL: 'https://memory.example.com',
      MNEMOGRAPH_CONSOLE_SIGN_UP: 'open',
    }
    expect(readConfig(given)).toMatchObject({
      publicUrl: 'https://memory.example.com',
      consoleSignUp: 'open',
    })
  })

  test.each(['memory.example.com', 'https://a.example/x', 'https://a.example/', 'ftp://a.example'])(
    'refuse the public address %s',
    (text) => {
      expect(refusalOf({ MNEMOGRAPH_PUBLIC_URL: text })).toContain(
        'MNEMOGRAPH_PUBLIC_URL must be an address without a path and a slash',
      )
    },
  )

  test('refuse anything but open and closed', () => {
    expect(refusalOf({ MNEMOGRAPH_CONSOLE_SIGN_UP: 'yes' })).toContain('open, closed')
  })
})
