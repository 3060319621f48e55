import { expect, it } from '@jest/globals'
import type { MakegoodActivities } from '../../activities/makegoods.ts'
import { QUEUES } from '../../workflows/messages.ts'
import { useTimeSkippingRuns } from './useTimeSkipping.ts'

const { use, runToEnd } = useTimeSkippingRuns()

function run(makegoodId: string, activities: MakegoodActivities) {
  return runToEnd('makegoodWorkflow', `makegood:${makegoodId}`, [makegoodId], { [QUEUES.orders]: activities })
}

it('waits for the deadline of the offer, looks again and ends with what became of it', async () => {
  const looks: number[] = []
  let due = 0
  const result = await run('mkg_1', {
    tendMakegood: async () => {
      const now = await use.env.currentTimeMs()
      due ||= now + 3 * 24 * 3_600_000
      looks.push(now)
      const isOver = now >= due
      return { status: isOver ? 'expired' : 'offered', version: 2, due_at: isOver ? null : new Date(due).toISOString() }
    },
  })
  expect(result).toEqual({ status: 'expired', version: 2 })
  expect(looks).toHaveLength(2)
  expect((looks[1] ?? 0) - due).toBeGreaterThanOrEqual(0)
  expect((looks[1] ?? 0) - due).toBeLessThan(60_000)
})

it('waits for the end of the flight, and then for the deadline of an offer that came meanwhile', async () => {
  const tasks: Awaited<ReturnType<MakegoodActivities['tendMakegood']>>[] = []
  const start = await use.env.currentTimeMs()
  const at = (days: number) => new Date(start + days * 24 * 3_600_000).toISOString()
  tasks.push(
    { status: 'noticed', version: 1, due_at: at(5) },
    { status: 'offered', version: 2, due_at: at(7) },
    { status: 'accepted', version: 2, due_at: null },
  )
  const result = await run('mkg_2', { tendMakegood: async () => tasks.shift() ?? null })
  expect([result, tasks.length]).toEqual([{ status: 'accepted', version: 2 }, 0])
  expect((await use.env.currentTimeMs()) - Date.parse(at(7))).toBeGreaterThanOrEqual(0)
})

it('ends at once without a makegood, and with one that waits for nobody', async () => {
  expect(await run('mkg_none', { tendMakegood: async () => null })).toBeNull()
  const recalled = { status: 'recalled', version: 1, due_at: null } as const
  expect(await run('mkg_over', { tendMakegood: async () => recalled })).toEqual({ status: 'recalled', version: 1 })
})
