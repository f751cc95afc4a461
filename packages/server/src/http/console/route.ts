// The common path of the console's routes: who is asking, how often, what for, and then the route's
// own work. Routes are plain values, so that tests can go through all of them.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { ADDRESS_REQUESTS_MAX, type Console, SESSION_REQUESTS_MAX } from '../../console/console.ts'
import type { Answers, AnswerTo, PathOf } from '../../console/contract/answers.ts'
import { ConsoleError } from '../../console/errors.ts'
import type { SignedInAs, Visitor } from '../../console/sessions.ts'
import type { Service } from '../../core/service.ts'
import type { OwnedKey } from '../../storage/console-store.ts'
import type { SpaceStore } from '../../storage/store.ts'
import { callerBucket, networkOf } from '../caller-address.ts'
import { whenLeft } from '../connection/when-left.ts'
import { rateLimitExceeded } from '../rate-limit-headers.ts'
import { body, type Reader, takeInput } from '../validation/read-input.ts'
import { isConnectionSafe, sessionToken } from './session-cookie.ts'

type Access = 'anyone' | 'account' | 'administrator' | 'key'

type Method = keyof Answers

export type ConsoleRoute = {
  method: Method
  /** Below /console/api. */
  path: string
  access: Access
  /** Before the body is read: whoever may not ask is refused without it. */
  enter: (context: Context, request: FastifyRequest, reply: FastifyReply) => Promise<void>
  handle: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>
}

export type Context = {
  service: Service
  console: Console
  signUpIsOpen: boolean
  publicUrl: string | undefined
}

export type Call = Context & { request: FastifyRequest; reply: FastifyReply; visitor: Visitor }
type AccountCall = Call & SignedInAs
export type KeyCall = AccountCall & { key: OwnedKey; space: SpaceStore }

/** Below the key's own path. */
type KeyPathOf<M extends Method> =
  PathOf<M> extends infer Path ? (Path extends `/keys/:key${infer Rest}` ? Rest : never) : never

type Work<C extends Call, Input, Answer> =
  | { input: Reader<Input>; run: (call: C, input: Input) => Promise<Answer> }
  | { input?: undefined; run: (call: C) => Promise<Answer> }

type RouteOf<M extends Method, Path extends string> = {
  method: M
  path: Path
  status?: 200 | 201
  /** False for what an open page asks again and again while nobody may be there. */
  isActivity?: boolean
  /** Whether it only asks, as a GET does, and is given up when its caller has left. */
  isRead?: boolean
}

type Spec<M extends Method, Path extends string, C extends Call, Input> = RouteOf<M, Path> &
  Work<C, Input, AnswerTo<M, Path>>

type KeySpec<M extends Method, Path extends string, Input> = RouteOf<M, Path> &
  Work<KeyCall, Input, AnswerTo<M, `/keys/:key${Path}`>>

type AnySpec<C extends Call, Input> = RouteOf<Method, string> & Work<C, Input, unknown>

/** For whoever comes. Some of these begin a session, so the connection has to be safe for that. */
export const forAnyone = <M extends Method, const Path extends PathOf<M>, Input>(
  spec: Spec<M, Path, Call, Input>,
): ConsoleRoute =>
  toRoute('anyone', spec, async (call) => {
    if (spec.method === 'POST' && !isConnectionSafe(call.request)) {
      throw new ConsoleError('CONNECTION_NOT_SAFE')
    }
    draw(call, `address ${call.visitor.address}`, ADDRESS_REQUESTS_MAX)
    return call
  })

export const forAccount = <M extends Method, const Path extends PathOf<M>, Input>(
  spec: Spec<M, Path, AccountCall, Input>,
): ConsoleRoute => toRoute('account', spec, (call) => signedIn(call, spec))

export const forAdministrator = <M extends Method, const Path extends PathOf<M>, Input>(
  spec: Spec<M, Path, AccountCall, Input>,
): ConsoleRoute =>
  toRoute('administrator', spec, async (call) => {
    const known = await signedIn(call, spec)
    if (known.account.role !== 'administrator') throw new ConsoleError('NOT_ADMINISTRATOR')
    return known
  })

/** For the owner of the key in the path, about the key's space. `path` goes on behind the key. */
export const forKey = <M extends Method, const Path extends KeyPathOf<M>, Input>(
  spec: KeySpec<M, Path, Input>,
): ConsoleRoute =>
  toRoute('key', { ...spec, path: `/keys/:key${spec.path}` }, async (call) => {
    const known = await signedIn(call, spec)
    const key = await call.console.keys.find(known.account, String(Object(call.request.params).key))
    // What changes anything goes on, whoever has left.
    const { isRead = spec.method === 'GET' } = spec
    const left = isRead ? whenLeft(call.reply) : undefined
    return { ...known, key, space: call.service.store.forSpace(key.spaceId, left) }
  })

const nothing = body(Type.Object({}))

function toRoute<C extends Call, Input>(
  access: Access,
  spec: AnySpec<C, Input>,
  enter: (call: Call) => Promise<C>,
): ConsoleRoute {
  const { method, path, status = 200 } = spec
  const entered = new WeakMap<FastifyRequest, C>()
  return {
    method,
    path,
    access,
    async enter(context, request, reply) {
      const userAgent = request.headers['user-agent'] ?? ''
      const address = callerBucket(request)
      const visitor = { address, network: networkOf(address), userAgent }
      entered.set(request, await enter({ ...context, request, reply, visitor }))
    },
    async handle(request, reply) {
      const call = entered.get(request)
      if (call === undefined) throw new Error('Nobody has entered.')
      return reply.code(status).send(await answer(spec, call, request))
    },
  }
}

function answer<C extends Call, Input>(
  spec: AnySpec<C, Input>,
  call: C,
  request: FastifyRequest,
): Promise<unknown> {
  if (spec.input !== undefined) return spec.run(call, takeInput(request, spec.input))
  if (spec.method === 'POST') takeInput(request, nothing)
  return spec.run(call)
}

async function signedIn(
  call: Call,
  { isActivity = true }: { isActivity?: boolean },
): Promise<AccountCall> {
  const { network } = call.visitor
  const known = await call.console.sessions.find(sessionToken(call.request), {
    isActivity,
    network,
  })
  if (known === undefined) {
    draw(call, `address ${call.visitor.address}`, ADDRESS_REQUESTS_MAX)
    throw new ConsoleError('NOT_SIGNED_IN')
  }
  draw(call, `session ${known.session.id}`, SESSION_REQUESTS_MAX)
  return { ...call, ...known }
}

function draw({ console }: Call, bucket: string, max: number): void {
  const decision = console.requests.hit(bucket, max)
  if (!decision.isAllowed) throw rateLimitExceeded(decision)
}
