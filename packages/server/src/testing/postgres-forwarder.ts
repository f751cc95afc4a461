// A way to a PostgreSQL that can go wrong as networks do: it swallows what is sent, or it ends a
// connection at the very moment of a commit, before the server hears of it or before its answer
// comes back. And it makes the server refuse to begin a transaction, as when that is cancelled.
// Connections are neither encrypted nor looked into beyond that.
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { listenOnLoopback } from './listen-on-loopback.ts'

const COMMIT = Buffer.from('COMMIT\0')
const BEGIN = Buffer.from('BEGIN')

export type Cut = 'before the server hears of it' | 'before its answer comes back'

export type Forwarder = {
  /** The same database, by this way. */
  url: string
  /** Nothing passes any more, in either direction, and nobody is told. */
  swallow(): void
  /** From now on; connections that were swallowed stay so. */
  pass(): void
  /** Ends the connection that has sent the text once it sends its next COMMIT. */
  cutCommitAfter(text: string, moment: Cut): void
  /** The next BEGIN is one that the server does not understand. */
  spoilNextBegin(): void
  /** How often the text of the cut was sent. */
  timesSent(): number
  close(): Promise<void>
}

export async function startForwarder(databaseUrl: string): Promise<Forwarder> {
  const target = new URL(databaseUrl)
  const open = new Set<Socket>()
  let swallows = false
  let cut: { text: Buffer; moment: Cut } | undefined
  let timesSent = 0
  let spoilsBegin = false

  const server = createServer((client) => {
    const upstream = connect(Number(target.port || 5432), target.hostname)
    const isSwallowed = (): boolean => swallowed || swallows
    let swallowed = swallows
    let cutAt: Cut | undefined
    let ends = false
    const end = (): void => {
      client.destroy()
      upstream.destroy()
    }
    for (const socket of [client, upstream]) {
      open.add(socket)
      // A reset is one of the ways in which a connection ends.
      socket.on('error', () => undefined)
      socket.on('close', () => {
        open.delete(socket)
        if (!isSwallowed()) end()
      })
    }
    client.on('data', (sent) => {
      swallowed = isSwallowed()
      if (swallowed) return
      if (cut !== undefined && sent.includes(cut.text)) {
        timesSent += 1
        // A repetition is let through.
        if (timesSent === 1) cutAt = cut.moment
      }
      if (cutAt !== undefined && sent.includes(COMMIT)) {
        if (cutAt === 'before the server hears of it') return end()
        ends = true
      }
      if (spoilsBegin && sent.includes(BEGIN)) {
        spoilsBegin = false
        sent.write('BEGUN', sent.indexOf(BEGIN))
      }
      upstream.write(sent)
    })
    upstream.on('data', (answer) => {
      swallowed = isSwallowed()
      if (swallowed) return
      // The statements before it travel with the COMMIT, and are answered first.
      if (ends && answer.includes(COMMIT)) end()
      else client.write(answer)
    })
  })
  const port = await listenOnLoopback(server)
  const url = new URL(databaseUrl)
  url.host = `127.0.0.1:${port}`

  return {
    url: url.href,
    swallow() {
      swallows = true
    },
    pass() {
      swallows = false
    },
    cutCommitAfter(text, moment) {
      cut = { text: Buffer.from(text), moment }
      timesSent = 0
    },
    spoilNextBegin() {
      spoilsBegin = true
    },
    timesSent: () => timesSent,
    async close() {
      for (const socket of open) socket.destroy()
      if (!server.listening) return
      server.close()
      await once(server, 'close')
    },
  }
}
