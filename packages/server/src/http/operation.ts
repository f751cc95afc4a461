// The common path of all operations, after authentication and rate limit: validate, take a unit of
// the quota, execute, answer. A route file says only what is special about its operation. Requests
// and the calls of tools (mcp/) share it.
// decisions/2026-11-21-order-of-checks.md
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { OPERATIONS, type OperationId, VERSION_PREFIX } from '../contract/operations.ts'
import { createOnce } from '../core/create-once.ts'
import type { Identity, IdPrefix, Stamp } from '../core/ids.ts'
import type { Service } from '../core/service.ts'
import type { Receipt, SpaceStore } from '../storage/store.ts'
import { whenLeft } from './connection/when-left.ts'
import { idempotencyKeyOf } from './idempotency-key.ts'
import { admittedOf } from './request-state.ts'
import { type Given, pathId, type Reader, takeInput } from './validation/read-input.ts'

/** What an operation takes of a request. */
export type Call = Given & Pick<FastifyRequest, 'headers' | 'admitted'>

export type Route = {
  id: OperationId
  /**
   * Answers what the contract says, and throws what it refuses. Takes `call.body` away. When the caller has left, a
   * read that waits is given up.
   */
  perform: (service: Service, call: Call, left: AbortSignal) => Promise<unknown>
}

export function addRoute(app: FastifyInstance, service: Service, { id, perform }: Route): void {
  const { method, path, successStatus } = OPERATIONS[id]
  app.route({
    method,
    url: path.slice(VERSION_PREFIX.length),
    config: { operation: id },
    handler: async (request: FastifyRequest, reply: FastifyReply) =>
      reply.code(successStatus).send(await perform(service, request, whenLeft(reply))),
  })
}

/** An operation that changes nothing. */
export function readRoute<Input, Output>(
  id: OperationId,
  operation: {
    input: Reader<Input>
    run: (service: Service, space: SpaceStore, input: Input) => Promise<Output>
  },
): Route {
  return {
    id,
    perform: async (service, call, left) => {
      const { caller, meter } = admittedOf(call)
      const input = takeInput(call, operation.input)
      const space = service.store.forSpace(caller.spaceId, left)
      const run = () => operation.run(service, space, input)
      return OPERATIONS[id].counted ? meter.read(run) : run()
    },
  }
}

/** An operation that makes a record. What it answers follows from its input and the identity. */
export function createRoute<Input, Output>(
  id: OperationId,
  operation: {
    prefix: IdPrefix
    input: Reader<Input>
    create: (service: Service, space: SpaceStore, input: Input, stamp: Stamp) => Promise<void>
    answer: (input: Input, identity: Identity) => Output
  },
): Route {
  return {
    id,
    perform: async (service, call) => {
      const input = takeInput(call, operation.input)
      const admitted = admittedOf(call)
      const { identity, isRepeated } = await createOnce(service, admitted, {
        operation: id,
        prefix: operation.prefix,
        input,
        idempotencyKey: idempotencyKeyOf(call),
        create: (space, stamp) => operation.create(service, space, input, stamp),
      })
      // The request that made the record may have been counted after this one was admitted.
      if (isRepeated) await admitted.meter.lookAgain()
      return operation.answer(input, identity)
    },
  }
}

/** An operation that removes a record for good. */
export function deleteRoute<Output>(
  id: OperationId,
  remove: (
    service: Service,
    space: SpaceStore,
    recordId: string,
    receipt: Receipt,
  ) => Promise<Output>,
): Route {
  return {
    id,
    perform: async (service, call) => {
      const { caller, meter } = admittedOf(call)
      const recordId = takeInput(call, pathId)
      const space = service.store.forSpace(caller.spaceId)
      return meter.write((receipt) => remove(service, space, recordId, receipt))
    },
  }
}
