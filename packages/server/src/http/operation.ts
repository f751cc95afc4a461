// The common path of all operations, after authentication and rate limit: validate, take a unit of
// the quota, execute, answer. A route file says only what is special about its operation.
// decisions/2026-11-21-order-of-checks.md
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { OPERATIONS, type OperationId, VERSION_PREFIX } from '../contract/operations.ts'
import { createOnce } from '../core/create-once.ts'
import type { Identity, IdPrefix } from '../core/ids.ts'
import type { Service } from '../core/service.ts'
import type { Receipt, SpaceStore } from '../storage/store.ts'
import { admittedOf } from './hooks/request-state.ts'
import { idempotencyKeyOf } from './idempotency-key.ts'
import { type Reader, takeInput } from './validation.ts'

export type Route = (app: FastifyInstance, service: Service) => void

/** An operation that changes nothing. */
export function readRoute<Input, Output>(
  id: OperationId,
  operation: {
    input: Reader<Input>
    run: (service: Service, space: SpaceStore, input: Input) => Promise<Output>
  },
): Route {
  return (app, service) =>
    register(app, id, async (request) => {
      const { caller, meter } = admittedOf(request)
      const input = takeInput(request, operation.input)
      const run = () => operation.run(service, service.store.forSpace(caller.spaceId), input)
      return OPERATIONS[id].counted ? meter.read(run) : run()
    })
}

/** An operation that makes a record. What it answers follows from its input and the identity. */
export function createRoute<Input, Output>(
  id: OperationId,
  operation: {
    prefix: IdPrefix
    input: Reader<Input>
    create: (
      service: Service,
      space: SpaceStore,
      input: Input,
      stamp: { identity: Identity; receipt: Receipt },
    ) => Promise<void>
    answer: (input: Input, identity: Identity) => Output
  },
): Route {
  return (app, service) =>
    register(app, id, async (request) => {
      const input = takeInput(request, operation.input)
      const admitted = admittedOf(request)
      const { identity, isRepeated } = await createOnce(service, admitted, {
        operation: id,
        prefix: operation.prefix,
        input,
        idempotencyKey: idempotencyKeyOf(request),
        create: (space, stamp) => operation.create(service, space, input, stamp),
      })
      // What made the record can have been counted after this request was admitted.
      if (isRepeated) await admitted.meter.lookAgain()
      return operation.answer(input, identity)
    })
}

/** An operation that removes a record for good. */
export function deleteRoute<Output>(
  id: OperationId,
  operation: {
    input: Reader<string>
    run: (service: Service, space: SpaceStore, id: string, receipt: Receipt) => Promise<Output>
  },
): Route {
  return (app, service) =>
    register(app, id, (request) => {
      const { caller, meter } = admittedOf(request)
      const recordId = takeInput(request, operation.input)
      return meter.write((receipt) =>
        operation.run(service, service.store.forSpace(caller.spaceId), recordId, receipt),
      )
    })
}

function register(
  app: FastifyInstance,
  id: OperationId,
  handle: (request: FastifyRequest) => Promise<unknown>,
): void {
  const { method, path, successStatus } = OPERATIONS[id]
  app.route({
    method,
    url: path.slice(VERSION_PREFIX.length),
    config: { operation: id },
    handler: async (request: FastifyRequest, reply: FastifyReply) =>
      reply.code(successStatus).send(await handle(request)),
  })
}
