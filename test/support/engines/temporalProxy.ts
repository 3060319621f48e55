import { once } from 'node:events'
import { connect, constants, createSecureServer, type IncomingHttpHeaders, type ServerHttp2Stream } from 'node:http2'
import type { AddressInfo } from 'node:net'

/** A proxy in front of a Temporal server that speaks TLS, requires certificates and checks API keys. */
export interface TemporalProxy {
  readonly address: string
  /** The API keys that are valid now; undefined means that none is required. */
  keys: readonly string[] | undefined
  /** Prefixes of the paths that are refused, as Temporal Cloud refuses its operator service. */
  forbidden: readonly string[]
  close(): Promise<void>
}

export interface ProxyTls {
  readonly cert: Buffer
  readonly key: Buffer
  /** The authority of the required client certificates; undefined means that none are required. */
  readonly ca?: Buffer | undefined
}

export async function startTemporalProxy(target: string, tls: ProxyTls): Promise<TemporalProxy> {
  const upstream = connect(`http://${target}`)
  upstream.on('error', () => undefined)
  const demand = tls.ca === undefined ? {} : { requestCert: true, rejectUnauthorized: true }
  const server = createSecureServer({ ...tls, ...demand })
  const sessions = new Set<{ destroy(): void }>()
  server.on('session', (session) => {
    sessions.add(session)
    session.on('error', () => undefined).on('close', () => sessions.delete(session))
  })
  server.on('error', () => undefined).on('tlsClientError', () => undefined)

  const forward = (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => {
    const call = upstream.request({ ...headers, ':scheme': 'http', ':authority': target })
    let trailers: IncomingHttpHeaders = {}
    call.on('response', ({ ...answer }, flags) => {
      if (stream.destroyed) return
      const isWhole = (flags & constants.NGHTTP2_FLAG_END_STREAM) !== 0
      stream.respond(answer, isWhole ? { endStream: true } : { waitForTrailers: true })
      if (!isWhole) call.pipe(stream)
    })
    call.on('trailers', (last) => {
      trailers = last
    })
    stream.on('wantTrailers', () => stream.sendTrailers(trailers))
    stream.on('close', () => call.close(constants.NGHTTP2_CANCEL))
    stream.pipe(call)
    call.on('error', () => stream.close(constants.NGHTTP2_INTERNAL_ERROR))
  }

  server.on('stream', (stream, headers) => {
    stream.on('error', () => undefined)
    const refuse = (code: number, message: string) =>
      stream.respond(
        { ':status': 200, 'content-type': 'application/grpc', 'grpc-status': String(code), 'grpc-message': message },
        { endStream: true },
      )
    const { keys, forbidden } = proxy
    if (keys !== undefined && !keys.some((key) => headers.authorization === `Bearer ${key}`)) refuse(16, 'Request unauthorized.')
    else if (forbidden.some((path) => headers[':path']?.startsWith(path))) refuse(7, 'Request unauthorized.')
    else forward(stream, headers)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const proxy: TemporalProxy = {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    keys: undefined,
    forbidden: [],
    async close() {
      for (const session of sessions) session.destroy()
      upstream.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return proxy
}
