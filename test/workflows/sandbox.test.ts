import { expect, it } from '@jest/globals'
import { ApplicationFailure } from '@temporalio/common'
import type { SandboxActivities } from '../../activities/sandbox.ts'
import { QUEUES } from '../../workflows/messages.ts'
import { timersOf } from './storyOf.ts'
import { useTimeSkippingRuns } from './useTimeSkipping.ts'

const { use, runToEnd } = useTimeSkippingRuns()

async function played(play: SandboxActivities['play']): Promise<void> {
  const id = `sandbox:sandbox-tv:ord_${Math.random().toString(36).slice(2)}`
  await runToEnd('sandboxOrderWorkflow', id, ['sandbox-tv', 'ord_1'], { [QUEUES.sandbox]: { play } })
}

it('looks again when a move is due, and ends when there is none', async () => {
  const looks: number[] = []
  let due = 0
  await played(async (party, order_id) => {
    expect([party, order_id]).toEqual(['sandbox-tv', 'ord_1'])
    const now = await use.env.currentTimeMs()
    looks.push(now)
    due ||= now + 3_600_000
    return now < due ? new Date(due).toISOString() : null
  })
  expect(looks).toHaveLength(2)
  expect(Math.abs((looks[1] ?? 0) - due)).toBeLessThan(60_000)
})

it('goes on after a player has died in the middle', async () => {
  let attempts = 0
  await played(async () => {
    attempts += 1
    if (attempts < 3) throw new Error('killed')
    return null
  })
  expect(attempts).toBe(3)
})

it('listens from where it has heard, also after a refusal', async () => {
  const heard: (string | null)[] = []
  const workflowId = 'sandbox:sandbox-tv'
  const listen: SandboxActivities['listen'] = async (_party, after) => {
    heard.push(after)
    if (heard.length === 2) throw ApplicationFailure.nonRetryable('refused', 'INVALID_INPUT')
    if (heard.length === 4) await use.env.client.workflow.getHandle(workflowId).terminate()
    return `cursor-${heard.length}`
  }
  await runToEnd('sandboxPartyWorkflow', workflowId, ['sandbox-tv'], { [QUEUES.sandbox]: { listen } }).catch(() => undefined)
  expect(heard).toEqual([null, 'cursor-1', 'cursor-1', 'cursor-3'])
  const { events } = await use.env.client.workflow.getHandle(workflowId).fetchHistory()
  expect(timersOf(events ?? [])).toEqual([['', 30]])
})
