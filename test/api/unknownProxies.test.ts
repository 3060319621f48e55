import { expect, it } from '@jest/globals'
import { pino } from 'pino'
import supertest from 'supertest'
import { createApp } from '../../api/app.ts'
import { useMarket } from '../support/useMarket.ts'

const market = useMarket()

/** Sends the same request twice with these headers; returns what the API has logged. */
async function loggedFor(headers: Record<string, string>, trustedProxies?: string[]) {
  const lines: string[] = []
  const log = pino({ level: 'warn' }, { write: (line: string) => lines.push(line) })
  const request = supertest(createApp({ ...market.deps, trustedProxies }, log))
  for (let time = 0; time < 2; time++) await request.get('/healthz').set(headers).expect(200)
  return lines.map((line) => JSON.parse(line) as { proxy: string; msg: string })
}

it.each([{ 'X-Forwarded-For': '203.0.113.7' }, { Forwarded: 'for=203.0.113.7' }])(
  'a proxy that nobody has named is warned about once: %o',
  async (headers) => {
    const [line, ...others] = await loggedFor(headers)
    expect(line).toMatchObject({ proxy: expect.stringContaining('127.0.0.1'), msg: expect.stringContaining('not in TRUSTED_PROXIES') })
    expect(others).toEqual([])
  },
)

it('a named proxy, and a client that states no address, are not', async () => {
  expect(await loggedFor({ 'X-Forwarded-For': '203.0.113.7' }, ['127.0.0.1'])).toEqual([])
  expect(await loggedFor({})).toEqual([])
})
