// Compiles the kernel of the scan: `npm run kernel`. The compiled file is committed, so that users
// build nothing; a test compares the two.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import wabt from 'wabt'

const folder = new URL('../packages/server/src/storage/sqlite/index/scan/', import.meta.url)
export const sourceOfKernel = fileURLToPath(new URL('kernel.wat', folder))
export const compiledKernel = fileURLToPath(new URL('kernel.wasm', folder))

const FEATURES = { simd: true, threads: true }

export async function compileKernel(): Promise<Uint8Array> {
  const { parseWat } = await wabt()
  const parsed = parseWat('kernel.wat', readFileSync(sourceOfKernel, 'utf8'), FEATURES)
  try {
    const { buffer } = parsed.toBinary({})
    // Throws for what the engine would not run.
    new WebAssembly.Module(buffer)
    return buffer
  } finally {
    parsed.destroy()
  }
}

if (import.meta.main) writeFileSync(compiledKernel, await compileKernel())
