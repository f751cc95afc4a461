import { expect, test } from 'vitest'
import { CommandFailure } from '../failure.ts'
import { explainListenFailure } from './listen-failure.ts'

const at = { host: '192.0.2.1', port: 80 }
const failure = (code: string, syscall = 'listen') =>
  Object.assign(new Error(code), { code, syscall })

test.each([
  ['EADDRINUSE', 'listen', 'Port 80 on 192.0.2.1 is already in use'],
  ['EACCES', 'listen', 'Port 80'],
  ['EADDRNOTAVAIL', 'listen', '192.0.2.1 is not an address of this machine'],
  ['EAFNOSUPPORT', 'listen', '192.0.2.1 is not an address of this machine'],
  ['ENOTFOUND', 'getaddrinfo', '192.0.2.1 is not known'],
  ['EINVAL', 'getaddrinfo', '192.0.2.1 is not known'],
  ['EAI_AGAIN', 'getaddrinfo', 'no name server answers'],
])('%s is explained', (code, syscall, text) => {
  const explained = explainListenFailure(failure(code, syscall), at)
  expect(explained).toBeInstanceOf(CommandFailure)
  expect(explained).toHaveProperty('message', expect.stringContaining(text))
})

test('every other failure stays what it was', () => {
  for (const error of [
    new Error('x'),
    failure('EMFILE'),
    failure('EINVAL'),
    failure('EACCES', 'open'),
    'text',
  ]) {
    expect(explainListenFailure(error, at)).toBe(error)
  }
})
