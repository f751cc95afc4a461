// Answers known paths asked with the wrong method. The routes are made from the table of
// operations, so a path cannot be forgotten; they refuse before a body would be read.
import { METHODS } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { ApiError } from '../contract/errors.ts'
import { OPERATION_IDS, OPERATIONS, VERSION_PREFIX } from '../contract/operations.ts'

/** Node hands CONNECT to nobody, and a request with it never becomes one. */
const EVERY_METHOD = METHODS.filter((method) => method !== 'CONNECT')

/** The methods of each path of the contract; HEAD goes wherever GET does. */
export function methodsByPath(): Map<string, string[]> {
  const paths = new Map<string, string[]>()
  for (const id of OPERATION_IDS) {
    const { path, method } = OPERATIONS[id]
    const methods = method === 'GET' ? ['GET', 'HEAD'] : [method]
    paths.set(path, [...(paths.get(path) ?? []), ...methods])
  }
  return paths
}

export function refuseOtherMethods(app: FastifyInstance): void {
  for (const [path, allowed] of methodsByPath()) {
    refuseMethodsBut(app, path.slice(VERSION_PREFIX.length), allowed)
  }
}

/** `path` is below the prefix of `app`. */
export function refuseMethodsBut(app: FastifyInstance, path: string, allowed: string[]): void {
  app.route({
    method: EVERY_METHOD.filter((method) => !allowed.includes(method)),
    url: path,
    onRequest: async () => {
      const allow = allowed.join(', ')
      throw new ApiError('METHOD_NOT_ALLOWED', {
        message: `This path does not support the method, only ${allow}.`,
        headers: { allow },
      })
    },
    handler: async () => undefined,
  })
}

/** Makes the router take every method that Node parses, so that none of them looks like a 404. */
export function acceptEveryMethod(app: FastifyInstance): void {
  for (const method of EVERY_METHOD) {
    if (!app.supportedMethods.includes(method)) app.addHttpMethod(method, { hasBody: false })
  }
}
