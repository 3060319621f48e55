import { describe, expect, it } from '@jest/globals'
import { measureEvents } from '../../src/metrics/log.ts'
import { REGISTRY } from '../../src/metrics/registry.ts'
import { useMarket } from '../support/useMarket.ts'

const market = useMarket()

/** Decisions of a gate so far: those within the sla, and all. */
async function decisions(gate: string): Promise<number[]> {
  const { values } = await (REGISTRY.getSingleMetric('decision_sla_ratio') as unknown as { get(): Promise<{ values: Value[] }> }).get()
  const of = (name: string, le?: number) =>
    values.find(({ metricName, labels }) => metricName === `decision_sla_ratio_${name}` && labels.gate === gate && labels.le === le)
  return [of('bucket', 1)?.value ?? 0, of('count')?.value ?? 0]
}
interface Value {
  readonly metricName: string
  readonly labels: { readonly gate?: string; readonly le?: number }
  readonly value: number
}

describe('decision times against the sla', () => {
  it('count a decision of a seller within its time, and no other event', async () => {
    const before = await decisions('api')
    await market.placed()
    expect(await decisions('api')).toEqual(before.map((count) => count + 1))
  })

  it('count one at the very end as met, and a later one as missed', async () => {
    const decided = (occurred_at: string) => ({
      ...{ occurred_at, decision_record: { gate: 'rules' } },
      decision_latency: { since: '2030-06-01T00:00:00.000Z', due_by: '2030-06-02T00:00:00.000Z' },
    })
    const [met = 0, all = 0] = await decisions('rules')
    measureEvents([decided('2030-06-02T00:00:00.000Z'), decided('2030-06-02T00:00:00.001Z')])
    expect(await decisions('rules')).toEqual([met + 1, all + 2])
  })
})
