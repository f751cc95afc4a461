// Takes what browsers report about violations of the policy: each is counted, for /metrics and the
// tests, and logged by its directive alone, since addresses and samples could hold people's texts.
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { Counter, type Registry } from 'prom-client'
import { readBody } from '../body/read-body.ts'
import { askForBody } from '../connection/expectations.ts'
import { CSP_REPORTS_PATH } from './security-headers.ts'

const BODY_BYTES_MAX = 64 * 1024
const LOGGED_EACH = 100

export async function takeCspReports(app: FastifyInstance, registry: Registry): Promise<void> {
  const violations = new Counter({
    name: 'mnemograph_console_csp_violations_total',
    help: 'Violations of the content security policy that browsers reported.',
    registers: [registry],
  })
  let reports = 0

  await app.register(async (scope) => {
    scope.addHook('preParsing', askForBody)
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(
      ['application/csp-report', 'application/reports+json', 'application/json'],
      async (_request: unknown, body: IncomingMessage) =>
        String(await readBody(body, BODY_BYTES_MAX)),
    )
    scope.post(CSP_REPORTS_PATH.slice('/console'.length), async ({ body, log }, reply) => {
      violations.inc()
      // Anybody can send reports: they must not fill the log.
      if (reports % LOGGED_EACH === 0) log.warn({ directive: directiveOf(body) }, 'CSP violation')
      reports += 1
      return reply.code(204).send()
    })
  })
}

function directiveOf(body: unknown): string {
  const found = /"(?:effective-directive|effectiveDirective)"\s*:\s*"([a-z-]{1,40})"/.exec(
    String(body),
  )
  return found?.[1] ?? 'unknown'
}
