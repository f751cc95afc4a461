// The files that a manifest names, checked before anything reads them: a person who forgot to copy
// one, or got half a download, learns its name instead of a parser's complaint.
import { createHash } from 'node:crypto'
import { statSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { EmbedderRefusal } from '../embedder.ts'
import type { Manifest } from './manifest.ts'

const BLOCK_BYTES = 256 * 1024

export type ModelFiles = { model: string; tokenizer: string; reference: string | undefined }

/** Where the files lie. Throws an EmbedderRefusal for one that is missing or has another checksum. */
export async function findModelFiles(folder: URL, manifest: Manifest): Promise<ModelFiles> {
  const files: ModelFiles = {
    model: join(fileURLToPath(folder), manifest.model),
    tokenizer: join(fileURLToPath(folder), manifest.tokenizer),
    reference: manifest.reference && join(fileURLToPath(folder), manifest.reference),
  }
  for (const [field, file] of Object.entries(files)) {
    if (file !== undefined) expectFile(field, file)
  }
  for (const [name, checksum] of Object.entries(manifest.sha256 ?? {})) {
    const file = join(fileURLToPath(folder), name)
    expectFile('sha256', file)
    await expectChecksum(file, checksum)
  }
  return files
}

function expectFile(field: string, file: string): void {
  if (isFile(file)) return
  throw new EmbedderRefusal(`There is no file ${file}, which manifest.json names in "${field}".`)
}

/** Not there, not to be seen: what is wrong with a path is the same to whoever wrote it down. */
function isFile(file: string): boolean {
  try {
    return statSync(file).isFile()
  } catch {
    return false
  }
}

async function expectChecksum(file: string, expected: string): Promise<void> {
  const checksum = await checksumOf(file)
  if (checksum === expected) return
  throw new EmbedderRefusal(
    `${file} has the checksum ${checksum}, which is not the one in the "sha256" of manifest.json.`,
  )
}

/** Through one buffer: a stream would leave garbage of the size of the file. */
async function checksumOf(file: string): Promise<string> {
  const hash = createHash('sha256')
  const buffer = Buffer.alloc(BLOCK_BYTES)
  await using handle = await open(file)
  for (;;) {
    const { bytesRead } = await handle.read(buffer)
    if (bytesRead === 0) return hash.digest('hex')
    hash.update(buffer.subarray(0, bytesRead))
  }
}
