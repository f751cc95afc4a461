#!/usr/bin/env node
// Plain JavaScript, so that an old Node can still say what is wrong.
const major = Number(process.versions.node.split('.')[0])
if (major < 24) {
  process.stderr.write(
    `Mnemograph runs on Node 24, which npm ci installs with it. This is Node ${process.versions.node}: ` +
      'use "npm start" or "npx mnemograph", which find the right one. After "npm ci --ignore-scripts" ' +
      'it is missing: run "npm ci", or use a Node 24 of your own.\n',
  )
  process.exit(1)
}
const { run } = await import('../src/command-line/run.ts')
await run(process.argv)
