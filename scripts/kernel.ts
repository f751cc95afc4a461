// Compiles the kernel of the scan: `npm run kernel`. The compiled file is committed, so that users
// build nothing; a test compares the two.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import wabt from 'wabt'

const folder = new URL('../packages/server/src/storage/sqlite/index/scan/', import.meta.url)
export const sourceOfKernel = fileURLToPath(new URL('kernel.wat', folder))
export const compiledKernel = fileURLToPath(new URL('kernel.wasm', folder))

export async function compileKernel(): Promise<Uint8Array> {
  const { parseWat } = await wabt()
  const parsed = parseWat('kernel.wat', readFileSync(sourceOfKernel, 'utf8'), { simd: true })
  try {
    parsed.validate()
    return parsed.toBinary({}).buffer
  } finally {
    parsed.destroy()
  }
}

if (import.meta.main) writeFileSync(compiledKernel, await compileKernel())
