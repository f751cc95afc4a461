/** Real servers on one database, with a small embeddings service, and a key without limits. */
import { Type } from 'typebox'
import { startEmbeddingStub } from '../embedding-stub.ts'
import { read } from '../read.ts'
import {
  freshDataDir,
  removeDataDir,
  runCommand,
  type ServerProcess,
  startServer,
} from '../server-process.ts'

const Issued = Type.Object({ key: Type.String() }, { additionalProperties: true })

export interface Instances {
  start(databaseUrl: string): Promise<ServerProcess>
  /** Needs a database on which a server has started. */
  newKey(databaseUrl: string): Promise<string>
  /** Also those that still run. */
  stop(): Promise<void>
}

export async function prepareInstances(): Promise<Instances> {
  const [folder, stub] = [await freshDataDir(), await startEmbeddingStub('words')]
  const servers: ServerProcess[] = []
  return {
    async start(databaseUrl) {
      const server = await startServer(folder, {
        ...stub.settings,
        DATABASE_URL: databaseUrl,
        MNEMOGRAPH_LOG_LEVEL: 'fatal',
        NODE_COMPILE_CACHE: folder,
      })
      servers.push(server)
      return server
    },
    async newKey(databaseUrl) {
      const limits = ['read', 'write', 'search'].flatMap((name) => [`--${name}-limit`, 'none'])
      const args = ['keys', 'create', '--name', 'failover', '--plan', 'enterprise', '--json']
      const settings = { DATABASE_URL: databaseUrl }
      const { stdout, stderr } = await runCommand(folder, [...args, ...limits], settings)
      if (stdout === '') throw new Error(stderr)
      return read(Issued, JSON.parse(stdout)).key
    },
    async stop() {
      for (const server of servers) await server.stop('SIGKILL')
      await stub.stop()
      await removeDataDir(folder)
    },
  }
}
