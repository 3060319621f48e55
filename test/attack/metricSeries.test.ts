import { randomBytes } from 'node:crypto'
import { describe, expect, it } from '@jest/globals'
import { REGISTRY } from '../../src/metrics/registry.ts'
import { seriesOf } from '../support/metrics/scrape.ts'
import { useApp } from '../support/useApp.ts'
import { scale } from './support/scale.ts'
import { report } from './support/table.ts'

const REQUESTS = scale(1_000, 10_000)

const PATHS = [
  (id: string) => `/${id}`,
  (id: string) => `/v1/${id}`,
  (id: string) => `/v1/orders/${id}`,
  (id: string) => `/v1/sellers/${id}/catalog`,
] as const
const METHODS = ['GET', 'PUT', 'PROPFIND', 'LOCK'] as const

const app = useApp()

describe('unknown paths, methods and ids', () => {
  it('add no series of metrics, however many there are', async () => {
    const origin = app.baseUrl.replace(/\/v1$/, '')
    const headers = { authorization: `Bearer ${app.tokens.buyers.acme}` }
    const send = async (index: number) => {
      const path = PATHS[index % PATHS.length]?.(randomBytes(8).toString('hex'))
      const reply = await fetch(`${origin}${path}`, { method: METHODS[(index >> 2) % METHODS.length] ?? 'GET', headers })
      await reply.arrayBuffer()
    }
    const sendTo = async (first: number, last: number) => {
      let next = first
      const lane = async () => {
        while (next < last) await send(next++)
      }
      await Promise.all(Array.from({ length: 16 }, lane))
    }
    const size = async () => seriesOf(await REGISTRY.metrics()).size
    await sendTo(0, 64)
    const before = await size()
    await sendTo(64, REQUESTS)
    expect(await size()).toBe(before)
    report('metric series', { requests: REQUESTS, series: before })
  }, 120_000)
})
