// Passwords are kept as scrypt hashes with the parameters that OWASP recommends (N=2^17, r=8, p=1),
// which cost 128 MiB and some hundred milliseconds each. They run in libuv's pool, a few at a time,
// so that neither the event loop nor the memory suffers; the parameters stand in the hash, so that
// they can be raised later.
// https://cheatsheetseries.owasp.org/cheatsheets/Password_Storage_Cheat_Sheet.html
// decisions/2026-11-21-console-accounts.md
import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { ConsoleError } from './errors.ts'

export type PasswordCost = { log2N: number; r: number; p: number }

export const PASSWORD_COST: PasswordCost = { log2N: 17, r: 8, p: 1 }

const SALT_BYTES = 16
const HASH_BYTES = 32
/** What is compared when there is nothing to compare with. */
const NO_SALT = randomBytes(SALT_BYTES)
const NO_HASH = randomBytes(HASH_BYTES)
const AT_ONCE_MAX = 2
const WAITING_MAX = 64
const FORM = /^scrypt\$(\d{1,2})\$(\d{1,2})\$(\d{1,2})\$([\w-]+)\$([\w-]+)$/

export class Passwords {
  readonly #cost: PasswordCost
  readonly #waiting: (() => void)[] = []
  #running = 0

  constructor(cost: PasswordCost = PASSWORD_COST) {
    this.#cost = cost
  }

  async hash(password: string): Promise<string> {
    const salt = randomBytes(SALT_BYTES)
    const { log2N, r, p } = this.#cost
    const hash = await this.#derive(password, salt, this.#cost)
    return `scrypt$${log2N}$${r}$${p}$${salt.toString('base64url')}$${hash.toString('base64url')}`
  }

  /** Takes as long for an account that does not exist, whose hash is undefined. */
  async verify(password: string, stored: string | undefined): Promise<boolean> {
    const nobodys = { cost: this.#cost, salt: NO_SALT, hash: NO_HASH }
    const { salt, cost, hash } = stored === undefined ? nobodys : parse(stored)
    const isEqual = timingSafeEqual(await this.#derive(password, salt, cost), hash)
    return isEqual && stored !== undefined
  }

  /** Whether the hash was made with other parameters than those of today. */
  isOutdated(stored: string): boolean {
    const { cost } = parse(stored)
    return cost.log2N !== this.#cost.log2N || cost.r !== this.#cost.r || cost.p !== this.#cost.p
  }

  async #derive(password: string, salt: Buffer, cost: PasswordCost): Promise<Buffer> {
    await this.#turn()
    try {
      return await derive(password, salt, cost)
    } finally {
      const next = this.#waiting.shift()
      if (next === undefined) this.#running -= 1
      else next()
    }
  }

  /** The turn of one that ended goes to whoever has waited longest. */
  async #turn(): Promise<void> {
    if (this.#running < AT_ONCE_MAX) {
      this.#running += 1
      return
    }
    if (this.#waiting.length >= WAITING_MAX) {
      throw new ConsoleError('TOO_MANY_ATTEMPTS', { retryAfterSeconds: 10 })
    }
    await new Promise<void>((resolve) => this.#waiting.push(resolve))
  }
}

function derive(password: string, salt: Buffer, { log2N, r, p }: PasswordCost): Promise<Buffer> {
  const N = 2 ** log2N
  // Equal passwords typed on different systems may differ in their composition.
  const text = password.normalize('NFKC')
  return new Promise((resolve, reject) => {
    scrypt(text, salt, HASH_BYTES, { N, r, p, maxmem: 256 * N * r }, (error, hash) =>
      error ? reject(error) : resolve(hash),
    )
  })
}

function parse(stored: string): { cost: PasswordCost; salt: Buffer; hash: Buffer } {
  const [, log2N, r, p, salt, hash] = FORM.exec(stored) ?? []
  if (salt === undefined || hash === undefined) throw new Error('A stored password has no form.')
  return {
    cost: { log2N: Number(log2N), r: Number(r), p: Number(p) },
    salt: Buffer.from(salt, 'base64url'),
    hash: Buffer.from(hash, 'base64url'),
  }
}
