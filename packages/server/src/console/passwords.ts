// Passwords are kept as scrypt hashes with the parameters that OWASP recommends (N=2^17, r=8, p=1),
// which cost 128 MiB and some hundred milliseconds each. They run in libuv's pool, a few at a time,
// so that neither the event loop nor the memory suffers; the parameters stand in the hash, so that
// they can be raised later. Those who wait take turns by where they come from, and whoever is expected
// has every second turn: a flood of strangers keeps nobody out.
// https://cheatsheetseries.owasp.org/cheatsheets/Password_Storage_Cheat_Sheet.html
// decisions/2026-11-21-console-accounts.md
import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { FairQueue } from '../turns/fair-queue.ts'
import { ConsoleError } from './errors.ts'

export type PasswordCost = { log2N: number; r: number; p: number }

export const PASSWORD_COST: PasswordCost = { log2N: 17, r: 8, p: 1 }

const SALT_BYTES = 16
const HASH_BYTES = 32
/** What is compared when there is nothing to compare with. */
const NO_SALT = randomBytes(SALT_BYTES)
const NO_HASH = randomBytes(HASH_BYTES)
const AT_ONCE_MAX = 2
/** Of those who are expected, and of strangers. */
const WAITING_MAX = 64
const FORM = /^scrypt\$(\d{1,2})\$(\d{1,2})\$(\d{1,2})\$([\w-]+)\$([\w-]+)$/

/**
 * Who waits for a hash. Expected is whoever shows more than a password: a link, a session, a familiar
 * address.
 */
type Applicant = { network: string; isExpected: boolean }

type Waiting = { begin: () => void; refuse: (reason: ConsoleError) => void }

/** TOO_MANY_ATTEMPTS is thrown when there is no room to wait. */
export class Passwords {
  readonly #cost: PasswordCost
  readonly #expected = new FairQueue<Waiting>()
  readonly #strangers = new FairQueue<Waiting>()
  /** Whose turn is next, if any of them waits. */
  #lanes: [FairQueue<Waiting>, FairQueue<Waiting>] = [this.#expected, this.#strangers]
  #running = 0

  constructor(cost: PasswordCost = PASSWORD_COST) {
    this.#cost = cost
  }

  async hash(password: string, applicant: Applicant): Promise<string> {
    const salt = randomBytes(SALT_BYTES)
    const { log2N, r, p } = this.#cost
    const hash = await this.#derive(password, { salt, cost: this.#cost }, applicant)
    return `scrypt$${log2N}$${r}$${p}$${salt.toString('base64url')}$${hash.toString('base64url')}`
  }

  /** Takes as long for an account that does not exist, whose hash is undefined. */
  async verify(
    password: string,
    stored: string | undefined,
    applicant: Applicant,
  ): Promise<boolean> {
    const nobodys = { cost: this.#cost, salt: NO_SALT, hash: NO_HASH }
    const { salt, cost, hash } = stored === undefined ? nobodys : parse(stored)
    const isEqual = timingSafeEqual(await this.#derive(password, { salt, cost }, applicant), hash)
    return isEqual && stored !== undefined
  }

  /** Whether the hash was made with other parameters than those of today. */
  isOutdated(stored: string): boolean {
    const { cost } = parse(stored)
    return cost.log2N !== this.#cost.log2N || cost.r !== this.#cost.r || cost.p !== this.#cost.p
  }

  async #derive(
    password: string,
    { salt, cost }: { salt: Buffer; cost: PasswordCost },
    applicant: Applicant,
  ): Promise<Buffer> {
    await this.#turn(applicant)
    try {
      return await derive(password, salt, cost)
    } finally {
      const next = this.#next()
      if (next === undefined) this.#running -= 1
      else next.begin()
    }
  }

  async #turn({ network, isExpected }: Applicant): Promise<void> {
    if (this.#running < AT_ONCE_MAX) {
      this.#running += 1
      return
    }
    const lane = isExpected ? this.#expected : this.#strangers
    await new Promise<void>((begin, refuse) => {
      lane.add({ begin, refuse }, network)
      if (lane.length <= WAITING_MAX) return
      lane.dropLast()?.refuse(new ConsoleError('TOO_MANY_ATTEMPTS', { retryAfterSeconds: 10 }))
    })
  }

  #next(): Waiting | undefined {
    const [first, second] = this.#lanes
    const next = first.next()
    if (next === undefined) return second.next()
    this.#lanes = [second, first]
    return next
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
