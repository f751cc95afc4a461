#!/usr/bin/env node
// Plain JavaScript, so that an old Node can still say what is wrong. Before anything is loaded it also sets
// what every thread inherits: a cache of compiled code beside the packages, so that only the first start
// strips types and compiles; small nurseries of the heaps; and what keeps threads that start at once from
// crashing each other.
// decisions/2026-11-21-resident-memory.md
const major = Number(process.versions.node.split('.')[0])
if (major < 24) {
  process.stderr.write(
    `Mnemograph runs on Node 24, which npm ci installs with it. This is Node ${process.versions.node}: ` +
      'use "npm start" or "npx mnemograph", which find the right one. After "npm ci --ignore-scripts" ' +
      'it is missing: run "npm ci", or use a Node 24 of your own.\n',
  )
  process.exit(1)
}
const { setFlagsFromString } = await import('node:v8')
const { enableCompileCache, flushCompileCache } = await import('node:module')
const { fileURLToPath } = await import('node:url')

// Set before the cache, whose code is not used under other flags. Unbounded, each nursery would grow to 64 MB
// during a start and give nothing back (command-line/serve/nursery.ts lets it grow later).
setFlagsFromString('--semi-space-growth-factor=1')
// To strip types, a WebAssembly module of Node calls JavaScript in every thread. When two threads compile
// such calls at the same time, V8 now and then crashes: with this budget they are never compiled.
setFlagsFromString('--wasm-wrapper-tiering-budget=1000000000')
// If the folder cannot be written to, each start compiles everything.
const { directory } = enableCompileCache(
  fileURLToPath(new URL('../../../node_modules/.cache/mnemograph', import.meta.url)),
)
if (directory !== undefined) process.env.NODE_COMPILE_CACHE = directory

const { run } = await import('../src/command-line/run.ts')
await run(process.argv)
// Written now, since a server may be killed without a chance to do it at its end.
flushCompileCache()
