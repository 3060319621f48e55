import { createServer, type RequestListener, type Server } from 'node:http'
import type { SharedLimit } from '../../src/config/index.ts'
import { answerBrokenHttp, type Mark } from './brokenHttp.ts'
import { boundConnections } from './connections.ts'

/** How long the headers of a request may take, and how often that is looked at, in milliseconds. */
const HEADERS_TIMES = { mostMs: 10_000, lookMs: 1_000 }

/** Creates the API's HTTP server with its time limits and bounds. Requests that never reach the app also get an error envelope. */
export function createApiServer(
  app: RequestListener,
  { mark = {}, ...connections }: SharedLimit & { readonly exempt?: readonly string[] | undefined; readonly mark?: Mark },
  headers = HEADERS_TIMES,
): Server {
  // The app refuses a missing Host, since it can send the envelope. Without the short interval, time limits would act up to 30 s late.
  const server = createServer({ requireHostHeader: false, connectionsCheckingInterval: headers.lookMs }, app)
  server.headersTimeout = headers.mostMs
  server.requestTimeout = 300_000 // for the content of an upload; the app gives other bodies less time
  server.keepAliveTimeout = 65_000
  // The app sends "100 Continue" when it reads the body, and omits it if it refuses the request.
  server.on('checkContinue', app)
  boundConnections(server, connections, mark)
  answerBrokenHttp(server, mark)
  return server
}
