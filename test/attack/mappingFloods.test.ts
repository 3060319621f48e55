import { expect, it } from '@jest/globals'
import { MAPPINGS_PER_SELLER } from '../../src/contract/vocabulary/mappings.ts'
import { A_MAPPING } from '../support/drops/mappings.ts'
import { useMarket } from '../support/useMarket.ts'
import { scale } from './support/scale.ts'
import { report } from './support/table.ts'
import { expectWithin } from './support/timing.ts'
import { besideQuiet, quiet, victim } from './support/victim.ts'

const market = useMarket()

it('a flood of mappings ends at its bounds, and another seller keeps changing its own', async () => {
  let changes = 0
  const mine = async () => {
    changes += 1
    const { status } = await market.cable.put('/me/files/mappings/mine', {
      ...A_MAPPING,
      skip: [{ column: 'Note', in: [`draft ${changes}`] }],
    })
    expect([200, 201]).toContain(status)
  }
  const calm = await quiet(mine, { calls: scale(10, 100) })

  const answers = new Map<number, number>()
  const filler = 'x'.repeat(400)
  const flood = async (_: unknown, at: number) => {
    for (let time = 0; time < scale(10, 100); time += 1) {
      const skip = [{ column: 'Note', in: Array.from({ length: 100 }, (_, n) => `${filler} ${n} ${time}`) }]
      const { status } = await market.station.put(`/me/files/mappings/m-${(at + time * 24) % (2 * MAPPINGS_PER_SELLER)}`, {
        ...A_MAPPING,
        skip,
      })
      answers.set(status, (answers.get(status) ?? 0) + 1)
    }
  }
  const besideFlood = await victim(mine, Promise.all(Array.from({ length: 24 }, flood)), { least: 5 })

  report('mappings', { ...besideQuiet(calm, besideFlood), ...Object.fromEntries([...answers].sort()) })
  expect(besideFlood.failures).toEqual([])
  expectWithin(besideFlood.p99, Math.max(5 * calm.p99, 1_000))
  expect(answers.get(201)).toBe(MAPPINGS_PER_SELLER)
  expect(answers.get(422)).toBeGreaterThan(0)
  const { rows } = await market.owner().query<{ kept: number }>(`select count(*)::int as kept from drop_mappings where seller = 'station'`)
  expect(rows).toEqual([{ kept: MAPPINGS_PER_SELLER }])
}, 240_000)
