/**
 * The served document with one link more, from an entity to a relation of it, without which no walk would
 * reach relations: their creates take ids in the body alone. It is not served, since OpenAPI Generator takes
 * a document with a body in a link for broken.
 */
import { writeFile } from 'node:fs/promises'
import { Type } from 'typebox'
import { read } from '../harness/read.ts'

const CREATE_ENTITY = '/v1/entities'
const ID = '$response.body#/id'
const RELATE = {
  operationId: 'relations.create',
  requestBody: { sourceId: ID, targetId: ID },
}

const Links = Type.Record(Type.String(), Type.Unknown())
const WithLinks = Type.Object({ links: Links })
const Create = Type.Object({ responses: Type.Object({ 201: WithLinks }) })
const Walked = Type.Object({
  paths: Type.Object({ [CREATE_ENTITY]: Type.Object({ post: Create }) }),
})

/** Writes the document of the server at this address to the file. */
export async function writeWalkedDocument(serverUrl: string, file: string): Promise<void> {
  const response = await fetch(`${serverUrl}/openapi.json`)
  const document = read(Walked, await response.json())
  document.paths[CREATE_ENTITY].post.responses[201].links['relate'] = RELATE
  await writeFile(file, JSON.stringify(document))
}
