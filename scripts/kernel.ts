// `npm run kernel`: compiles the inner loops that are written in WebAssembly's text format. The compiled
// files are committed, so that users build nothing; a test compares them with their sources.
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
    // Throws if the engine would not run it.
    new WebAssembly.Module(buffer)
    return buffer
  } finally {
    parsed.destroy()
  }
}

if (import.meta.main) {
  for (const { source, compiled } of kernels) writeFileSync(compiled, await compileKernel(source))
}
