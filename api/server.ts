import { createServer, type RequestListener, type Server } from 'node:http'
import type { Shared } from '../src/config.ts'
import { answerBrokenHttp } from './brokenHttp.ts'
import { boundConnections } from './connections.ts'

/** The HTTP server of the API: its time limits and bounds, and an answer in the envelope to what never reaches the app. */
export function createApiServer(app: RequestListener, connections: Shared & { readonly exempt?: readonly string[] | undefined }): Server {
  // The app refuses a missing Host, since it has the envelope. Without the short interval a time limit passes up to 30 s late.
  const server = createServer({ requireHostHeader: false, connectionsCheckingInterval: 1_000 }, app)
  server.headersTimeout = 10_000
  server.requestTimeout = 300_000 // for the content of an upload; the app gives other bodies less
  server.keepAliveTimeout = 65_000
  // The app sends "100 Continue" when it reads the body, and not if it refuses the request.
  server.on('checkContinue', app)
  boundConnections(server, connections)
  answerBrokenHttp(server)
  return server
}
