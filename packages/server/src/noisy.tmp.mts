import { spawn, execFileSync } from 'node:child_process'
import http from 'node:http'
import { rmSync } from 'node:fs'
import pg from 'pg'
import { startCluster, prepareOwner } from '/work/dev/packages/server/src/testing/postgres.ts'
const onPg = process.argv[2] === 'pg'; const only = process.argv[3]?.split(',')
const cluster = onPg ? await startCluster() : undefined
const env: NodeJS.ProcessEnv = { ...process.env, PORT: '4874', MNEMOGRAPH_LOG_LEVEL: 'error', MNEMOGRAPH_DATA_DIR: '/tmp/x/noisydata' }
rmSync('/tmp/x/noisydata', { recursive: true, force: true })
const bin = ['/work/dev/packages/server/bin/mnemograph.js']
let server
try {
  if (cluster) { await prepareOwner(cluster.url); const u = new URL(cluster.url); u.pathname = '/postgres'; const admin = new pg.Client(u.href); await admin.connect(); await admin.query('CREATE DATABASE waiting'); await admin.end(); u.pathname = '/waiting'; env.DATABASE_URL = u.href }
  server = spawn('node', [...bin, 'serve'], { env }); let out = ''
  server.stdout.on('data', (d) => (out += d)); server.stderr.on('data', (d) => (out += d))
  while (!out.includes('listening')) { await new Promise((r) => setTimeout(r, 100)); if (server.exitCode !== null) throw new Error(out) }
  const key = (n: string) => JSON.parse(String(execFileSync('node', [...bin, 'keys', 'create', '--name', n, '--plan', 'enterprise', '--read-limit', 'none', '--write-limit', 'none', '--search-limit', 'none', '--json'], { env }))).key
  const a = key('a'), b = key('b')
  const agent = new http.Agent({ keepAlive: true, maxSockets: 2000 })
  const ask = (k: string | undefined, method: string, path: string, body?: unknown, extra: Record<string, string> = {}) => new Promise<{ s: number; ms: number; b: string }>((done) => {
    const t = performance.now()
    const r = http.request({ port: 4874, host: '127.0.0.1', method, path, agent, headers: { ...(k ? { authorization: `Bearer ${k}` } : {}), ...(body ? { 'content-type': 'application/json' } : {}), ...extra } }, (res) => { let d = ''; res.on('data', (c) => (d += c)); res.on('end', () => done({ s: res.statusCode!, ms: performance.now() - t, b: d })) })
    r.on('error', () => done({ s: -1, ms: performance.now() - t, b: '' })); r.end(body ? (typeof body === 'string' ? body : JSON.stringify(body)) : undefined)
  })
  const words = 'tea coffee garden bicycle invoice meeting river mountain doctor violin piano window harbour train cheese winter summer pension teacher novel'.split(' ')
  const w = (i: number) => words[i % 20]!
  const lines = Array.from({ length: 2000 }, (_, i) => JSON.stringify({ content: `Person ${i} likes ${w(i)} and ${w(i * 7 + 3)} number ${i * 31}.`, userId: `u${i % 50}`, tags: [w(i), w(i + 1)] })).join('\n')
  const t0 = Date.now(); const im = await ask(a, 'POST', '/import/memories', lines, { 'content-type': 'application/x-ndjson' }); console.log('import', im.s, Date.now() - t0, im.b.slice(-150))
  const ents: string[] = []
  for (let i = 0; i < 400; i += 50) ents.push(...(await Promise.all(Array.from({ length: 50 }, (_, j) => ask(a, 'POST', '/v1/entities', { name: `Entity ${i + j}`, type: 'PERSON' })))).map((r) => JSON.parse(r.b).id ?? JSON.parse(r.b).entity?.id))
  for (let i = 0; i < 1000; i += 50) await Promise.all(Array.from({ length: 50 }, (_, j) => ask(a, 'POST', '/v1/relations', { sourceId: ents[(i + j) % 400], targetId: ents[(i * 3 + j * 7 + 1) % 400], type: 'KNOWS' })))
  const bm = JSON.parse((await ask(b, 'POST', '/v1/memories', { content: 'Ben keeps bees on the roof.', userId: 'ben' })).b); const bid = bm.id
  const long = 'A long text about gardens and rivers, with bees. '.repeat(200)
  let n = 0
  const kinds: Record<string, { inFlight: number; go: () => Promise<{ s: number }> }> = {
    nothing: { inFlight: 0, go: () => ask(undefined, 'GET', '/livez') },
    livez: { inFlight: 200, go: () => ask(undefined, 'GET', '/livez') },
    wrongkey: { inFlight: 200, go: () => ask('mng_wrong', 'GET', '/v1/memories') },
    search: { inFlight: 200, go: () => ask(a, 'POST', '/v1/memories/search', { query: `who likes ${w(n++)} and ${n}?` }) },
    searchsame: { inFlight: 200, go: () => ask(a, 'POST', '/v1/memories/search', { query: `who likes tea?` }) },
    searchlong: { inFlight: 100, go: () => ask(a, 'POST', '/v1/memories/search', { query: `${n++} ${long}`.slice(0, 9_900) }) },
    list: { inFlight: 200, go: () => ask(a, 'GET', `/v1/memories?tags=${w(n++)}&page=2&limit=100`) },
    entsearch: { inFlight: 200, go: () => ask(a, 'GET', `/v1/entities?search=${n++ % 100}&limit=100`) },
    create: { inFlight: 200, go: () => ask(a, 'POST', '/v1/memories', { content: `Note ${n++} on ${w(n)}`, userId: 'x' }) },
    createlong: { inFlight: 64, go: () => ask(a, 'POST', '/v1/memories', { content: `${n++} ${long}`.slice(0, 9_900), userId: 'x' }) },
    entity: { inFlight: 400, go: () => ask(a, 'POST', '/v1/entities', { name: `n${n++}`, type: 'PERSON' }) },
    badbody: { inFlight: 100, go: () => ask(a, 'POST', '/v1/memories', `{"content": "${long}${long}${long}`) },
    sameidem: { inFlight: 100, go: () => ask(a, 'POST', '/v1/entities', { name: `same`, type: 'PERSON' }, { 'idempotency-key': 'k' }) },
    deletes: { inFlight: 100, go: async () => { const r = await ask(a, 'POST', '/v1/entities', { name: `d${n++}`, type: 'PERSON' }); return ask(a, 'DELETE', `/v1/entities/${JSON.parse(r.b).id}`) } },
    mcp: { inFlight: 100, go: () => ask(a, 'POST', '/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list' }, { accept: 'application/json, text/event-stream' }) },
    importing: { inFlight: 2, go: () => ask(a, 'POST', '/import/memories', Array.from({ length: 300 }, () => JSON.stringify({ content: `Imported ${n++} about ${w(n)}`, userId: 'i' })).join('\n'), { 'content-type': 'application/x-ndjson' }) },
  }
  for (const [name, { inFlight, go }] of Object.entries(kinds)) {
    if (only && !only.includes(name)) continue
    let stop = false; const st: Record<number, number> = {}
    const all = Array.from({ length: inFlight }, async () => { while (!stop) { const r = await go(); st[r.s] = (st[r.s] ?? 0) + 1 } })
    await new Promise((r) => setTimeout(r, 1000))
    const lat: Record<string, number[]> = { live: [], ready: [], get: [], post: [], search: [], create: [] }; const bs: Record<string, number> = {}; let i = 0
    const end = Date.now() + 6_000
    while (Date.now() < end) {
      for (const [k, f] of [['live', () => ask(undefined, 'GET', '/livez')], ['ready', () => ask(undefined, 'GET', '/readyz')], ['get', () => ask(b, 'GET', `/v1/memories/${bid}`)], ['post', () => ask(b, 'POST', '/v1/entities', { name: 'x', type: 'PERSON' })], ['search', () => ask(b, 'POST', '/v1/memories/search', { query: `Who keeps bees ${i++}?` })], ['create', () => ask(b, 'POST', '/v1/memories', { content: `Bees ${i++}`, userId: 'ben' })]] as const) { const r = await f(); lat[k]!.push(r.ms); const c = `${k} ${r.s}`; if (r.s >= 300 || r.s < 0) bs[c] = (bs[c] ?? 0) + 1 }
      await new Promise((r) => setTimeout(r, 20))
    }
    stop = true; await Promise.all(all)
    console.log(name.padEnd(11), JSON.stringify(st), JSON.stringify(bs), Object.entries(lat).map(([k, v]) => `${k} ${v.sort((x, y) => x - y)[v.length >> 1]!.toFixed(0)}/${v.at(-1)!.toFixed(0)}`).join('  '))
  }
  console.log(out.slice(out.indexOf('listening') + 40).slice(0, 1500))
  agent.destroy()
} catch (e) { console.log('ERR', e) } finally { if (server && server.exitCode === null) { server.kill('SIGTERM'); await new Promise((r) => server.on('close', r)) } await cluster?.remove() }
