#!/usr/bin/env node
// Plain JavaScript, so that an old Node can still say what is wrong. Before anything is loaded it also
// sets what every thread inherits: compiled code is kept beside the packages, so that only the first
// start removes types and compiles, the nurseries of the heaps stay small, and threads that start at once
// do no harm to each other.
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

// First, because code that was compiled under other flags is not used. Unbounded, each nursery would
// grow to 64 MB during a start and give nothing back (see command-line/nursery.ts for what comes after it).
setFlagsFromString('--semi-space-growth-factor=1')
// While types are taken out of the sources, a WebAssembly module of Node calls JavaScript in every thread.
// When two threads compile that way at once, V8 now and then ends the process: it is never compiled.
setFlagsFromString('--wasm-wrapper-tiering-budget=1000000000')
// Where it cannot be written, everything is compiled anew.
const { directory } = enableCompileCache(
  fileURLToPath(new URL('../../../node_modules/.cache/mnemograph', import.meta.url)),
)
if (directory !== undefined) process.env.NODE_COMPILE_CACHE = directory

const { run } = await import('../src/command-line/run.ts')
await run(process.argv)
// A server may be killed later without a chance to write it.
flushCompileCache()
