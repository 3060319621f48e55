import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { beforeAll } from '@jest/globals'
import { pino } from 'pino'
import { createApp } from '../../../api/app.ts'
import { createApiServer } from '../../../api/http/server.ts'
import type { Used } from '../useMarket.ts'
import type { TestApp } from './app.ts'

export interface LoggedServer {
  readonly baseUrl: string
  /** The error lines that it has logged. */
  readonly logged: string[]
}

/** Provides a second server over the dependencies of an app, as production starts it, with its error log and perhaps another clock. */
export function useLoggedServer(market: Pick<TestApp, 'deps'> & Used, { now = Date.now } = {}): LoggedServer {
  const logged: string[] = []
  const used = { logged } as LoggedServer & { baseUrl: string }
  let server: Server
  beforeAll(async () => {
    const log = pino({ level: 'error' }, { write: (line: string) => logged.push(line) })
    server = createApiServer(createApp(market.deps, log, now), { perTenant: 1_000, total: 5_000 })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    used.baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  })
  market.beforeStop(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  return used
}
