// A POST to a server, on a connection of its own. Tells when there is one: what fails before then has reached
// nobody, and of what breaks later anything may have been done.
import {
  type ClientRequest,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  request as requestHttp,
} from 'node:http'
import { request as requestHttps } from 'node:https'

type Options = {
  headers: OutgoingHttpHeaders
  signal?: AbortSignal
  /** Over TLS not before the certificate is trusted. */
  onConnected: () => void
}

/** The body is left to the caller. `answer` rejects with whatever broke the connection. */
export function postRequest(
  address: string,
  { onConnected, ...options }: Options,
): { request: ClientRequest; answer: Promise<IncomingMessage> } {
  const isEncrypted = /^https:/i.test(address)
  const send = isEncrypted ? requestHttps : requestHttp
  const request = send(address, { method: 'POST', agent: false, ...options })
  request.once('socket', (socket) => {
    socket.once(isEncrypted ? 'secureConnect' : 'connect', onConnected)
  })
  const answer = new Promise<IncomingMessage>((resolve, reject) => {
    request.once('response', resolve)
    request.on('error', reject)
    // Node tells nothing else of an answer that goes on in another protocol.
    request.once('close', () => reject(new Error('the connection ended')))
  })
  return { request, answer }
}
