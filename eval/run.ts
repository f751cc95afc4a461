// `npm run eval -- --locomo FILE`: measures search quality over HTTP, on a server of its own unless
// one is named. The data stays with whoever has it: see README.md for where to get it.
import { readFileSync } from 'node:fs'
import { MeasuringClient } from './client.ts'
import { startLocalService } from './local-service.ts'
import { type Conversation, parseLocomo, withoutSpeakerNames } from './locomo.ts'
import { measureExact, measureLong } from './measure-generated.ts'
import { ingest, measureLocomo } from './measure-locomo.ts'
import { measureSts } from './measure-sts.ts'
import { type Options, readOptions, USAGE } from './options.ts'
import { decimals, latencies, printLine, printLocomo, printTitle } from './report.ts'
import { parseSts } from './sts.ts'

const INGEST_IN_FLIGHT = 8

/** Only a server of our own is ours to stop. */
type Service = { url: string; key: string; stop?: () => Promise<void> }

async function main({ locomo, sts, conversationsMax, rewordings, server }: Options): Promise<void> {
  const service: Service = server ?? (await startLocalService())
  try {
    const client = new MeasuringClient(service)
    if (locomo !== undefined) {
      const conversations = parseLocomo(readFileSync(locomo, 'utf8')).slice(0, conversationsMax)
      await runLocomo(client, conversations, rewordings)
    }
    if (sts !== undefined) await runSts(client, sts)
    await runGenerated(client)
  } finally {
    await service.stop?.()
  }
}

async function runLocomo(
  client: MeasuringClient,
  conversations: readonly Conversation[],
  rewordings: boolean,
): Promise<void> {
  const { turnOf, createMs, seconds } = await ingest(client, conversations, INGEST_IN_FLIGHT)
  const figures = await measureLocomo(client, conversations, turnOf)
  const size = `${conversations.length} conversations, ${turnOf.size} memories`
  printTitle(`LoCoMo: ${size}, ${figures.questions} questions`)
  printLocomo(figures)
  printLine('ingest, memories a second', decimals(turnOf.size / seconds, 0))
  printLine(`create, ${INGEST_IN_FLIGHT} in flight`, latencies(createMs))
  printLine('search, 1 in flight', latencies(figures.searchMs))
  if (!rewordings) return

  const lowerCase = (question: string): string => question.toLowerCase()
  printTitle('LoCoMo, questions in lower case')
  printLocomo(await measureLocomo(client, conversations, turnOf, lowerCase))
  const theUser = (question: string, { speakers }: Conversation): string =>
    withoutSpeakerNames(question, speakers)
  printTitle(
    'LoCoMo, "the user" in place of the speaker (then false says little: anybody is meant)',
  )
  printLocomo(await measureLocomo(client, conversations, turnOf, theUser))
}

async function runSts(client: MeasuringClient, file: string): Promise<void> {
  const figures = await measureSts(client, parseSts(readFileSync(file, 'utf8')), INGEST_IN_FLIGHT)
  printTitle(`STS benchmark: ${figures.pairs} pairs`)
  printLine('Spearman', decimals(figures.spearman))
  printLine('found of the pairs rated 4 and more', decimals(figures.sameFound))
  printLine('found of the pairs rated 1 and less', decimals(figures.unrelatedFound))
}

async function runGenerated(client: MeasuringClient): Promise<void> {
  const exact = await measureExact(client)
  printTitle(`Codes, names, numbers, addresses: ${exact.queries} queries, 50 memories`)
  printLine('found among the first 3', decimals(exact.found))
  if (exact.missed.length > 0) printLine('missed', exact.missed.join('  '))
  const { texts, createMs, sharing, otherWords } = await measureLong(client)
  printTitle(`A fact in 10,000 characters: ${texts} memories`)
  for (const [name, { first, found, others }] of [
    ['question shares words with it', sharing],
    ['question in other words', otherWords],
  ] as const) {
    printLine(`${name}: first`, decimals(first, 2))
    printLine(`${name}: found`, decimals(found, 2))
    printLine(`${name}: other texts found`, decimals(others, 2))
  }
  printLine('create, mean', `${decimals(createMs, 0)} ms`)
}

function optionsOrUsage(): Options | undefined {
  try {
    return readOptions(process.argv.slice(2))
  } catch (error) {
    process.stderr.write(`eval: ${error instanceof Error ? error.message : error}\n\n${USAGE}`)
    process.exitCode = 2
    return undefined
  }
}

const options = optionsOrUsage()
if (options !== undefined) await main(options)
