/** Real servers on one database, with a small embeddings service, and a key without limits. */
import { startEmbeddingStub } from '../harness/embedding-stub.ts'
import { issueKey } from '../harness/keys.ts'
import {
  freshDataDir,
  removeDataDir,
  type ServerProcess,
  startServer,
} from '../harness/server-process.ts'

interface Instances {
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
      return (await issueKey(folder, {}, { DATABASE_URL: databaseUrl })).key
    },
    async stop() {
      for (const server of servers) await server.stop('SIGKILL')
      await stub.stop()
      await removeDataDir(folder)
    },
  }
}
