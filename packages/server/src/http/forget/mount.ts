// `POST /forget/memories`: all memories of a user, outside /v1, which has no such operation. Callers are
// admitted as there. It costs one write of the window and nothing of the quota: whoever has used up the month
// must be able to forget.
//
//   1 authenticate      hooks/authenticate.ts   401, 429
//   2 rate limit        hooks/rate-limit.ts     429
//   3 route, method     hooks/unknown-paths.ts  404, 405
//   4 body              hooks/body-parser.ts    415, 413, 400
//   5 validation        here                    400
//   6 deletion          core/forget.ts          200, 503
//
// decisions/2026-11-27-forgetting-a-user.md
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { FORGET_PATH, FORGET_PREFIX, ForgetUser, type Forgotten } from '../../contract/forget.ts'
import type { Service } from '../../core/service.ts'
import { admitCallers } from '../hooks/admit-callers.ts'
import { useJsonBodies } from '../hooks/body-parser.ts'
import { quotaHeaders } from '../hooks/quota-headers.ts'
import { refuseMethodsBut } from '../method-not-allowed.ts'
import { admittedOf } from '../request-state.ts'
import { body, expectOnly } from '../validation/read-input.ts'

const readUser = body(ForgetUser)
const FIELDS = Object.keys(ForgetUser.properties)

export async function mountForget(app: FastifyInstance, service: Service): Promise<void> {
  async function forgetMemories(request: FastifyRequest): Promise<Forgotten> {
    const { userId } = readUser(request)
    // One that was ignored, such as `agentId`, would have meant that less is deleted.
    expectOnly(FIELDS, request.body, 'The body may have one field, userId.')
    const { spaceId } = admittedOf(request).caller
    return service.forgetting.forget(service.store.forSpace(spaceId), userId)
  }

  await app.register(
    async (scope) => {
      await admitCallers(scope, service)
      useJsonBodies(scope)
      scope.addHook('onSend', quotaHeaders)
      const path = FORGET_PATH.slice(FORGET_PREFIX.length)
      scope.post(path, forgetMemories)
      refuseMethodsBut(scope, path, ['POST'])
    },
    { prefix: FORGET_PREFIX },
  )
}
