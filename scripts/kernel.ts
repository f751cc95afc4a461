// Compiles the inner loops that are written in WebAssembly: `npm run kernel`. The compiled files are
// committed, so that users build nothing; a test compares the two.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import wabt from 'wabt'

const SOURCES = ['storage/sqlite/index/scan/kernel.wat', 'embedding/commonness/products.wat']
const FEATURES = { simd: true, threads: true }

export const kernels = SOURCES.map((source) => {
  const file = fileURLToPath(new URL(`../packages/server/src/${source}`, import.meta.url))
  return { source: file, compiled: file.replace(/wat$/, 'wasm') }
})

export async function compileKernel(source: string): Promise<Uint8Array> {
  const { parseWat } = await wabt()
  const parsed = parseWat(source, readFileSync(source, 'utf8'), FEATURES)
  try {
    const { buffer } = parsed.toBinary({})
    // Throws for what the engine would not run.
    new WebAssembly.Module(buffer)
    return buffer
  } finally {
    parsed.destroy()
  }
}

if (import.meta.main) {
  for (const { source, compiled } of kernels) writeFileSync(compiled, await compileKernel(source))
}
