// What can be done next with an answer, for programs that walk through the API.
import type { OperationId } from '../../contract/operations.ts'
import type { Link } from './types.ts'

const ID = '$response.body#/id'

const byId = (operationId: OperationId, description: string): Link => ({
  operationId,
  description,
  parameters: { id: ID },
})

export const LINKS: Readonly<Partial<Record<OperationId, Record<string, Link>>>> = {
  'memories.create': {
    get: byId('memories.get', 'The id fetches the memory.'),
    delete: byId('memories.delete', 'The id deletes the memory.'),
  },
  'entities.create': {
    get: byId('entities.get', 'The id fetches the entity.'),
    delete: byId('entities.delete', 'The id deletes the entity.'),
    listOutgoing: {
      operationId: 'relations.list',
      description: 'The id lists the relations that start from the entity.',
      parameters: { sourceId: ID },
    },
    listIncoming: {
      operationId: 'relations.list',
      description: 'The id lists the relations that point to the entity.',
      parameters: { targetId: ID },
    },
  },
  'relations.create': {
    get: byId('relations.get', 'The id fetches the relation, with its two entities.'),
    delete: byId('relations.delete', 'The id deletes the relation.'),
    getSource: {
      operationId: 'entities.get',
      description: 'sourceId fetches the entity that the relation starts from.',
      parameters: { id: '$response.body#/sourceId' },
    },
    getTarget: {
      operationId: 'entities.get',
      description: 'targetId fetches the entity that the relation points to.',
      parameters: { id: '$response.body#/targetId' },
    },
  },
}
