/** What a run counted, and which promises it found broken. */
import { type Findings, type Ledger, noFindings, type verify } from './ledger.ts'

export interface Report {
  readonly acknowledgedCreates: number
  readonly acknowledgedDeletes: number
  readonly unanswered: number
  readonly repeated: number
  readonly unansweredThatPersisted: number
  readonly findings: Findings
}

export function reportOf(
  ledger: Ledger,
  seen: readonly Awaited<ReturnType<typeof verify>>[],
): Report {
  const findings = noFindings()
  for (const one of seen) {
    findings.lost.push(...one.findings.lost)
    findings.resurrected.push(...one.findings.resurrected)
    findings.twice.push(...one.findings.twice)
    findings.unknown.push(...one.findings.unknown)
  }
  return {
    acknowledgedCreates: ledger.acknowledgedCreates,
    acknowledgedDeletes: ledger.acknowledgedDeletes,
    unanswered: ledger.unanswered,
    repeated: ledger.repeated,
    unansweredThatPersisted: seen[0]?.unansweredThatPersisted ?? 0,
    findings,
  }
}

export const isClean = ({ findings }: Report): boolean =>
  Object.values(findings).every((found: readonly string[]) => found.length === 0)

export function toText({ findings, ...counts }: Report): string {
  const lines = Object.entries(counts).map(([name, count]) => `  ${name} ${count}`)
  for (const [name, found] of Object.entries(findings)) {
    lines.push(`  ${name} ${found.length}`, ...found.map((each: string) => `    ${each}`))
  }
  return `${lines.join('\n')}\n`
}
