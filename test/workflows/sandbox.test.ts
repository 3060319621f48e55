import { describe, expect, it } from '@jest/globals'
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

describe('what a tenant asks for', () => {
  const carried = (carryOut: SandboxActivities['carryOut'], id = `sandbox_request:${Math.random().toString(36).slice(2)}`) =>
    runToEnd('sandboxRequestWorkflow', id, ['sandbox_1'], { [QUEUES.sandbox]: { carryOut } })

  it('is carried out by another worker when one has died in the middle', async () => {
    let attempts = 0
    const became = await carried(async (request_id) => {
      expect(request_id).toBe('sandbox_1')
      attempts += 1
      if (attempts < 3) throw new Error('killed')
      return { order_id: 'ord_1' }
    })
    expect([attempts, became]).toEqual([3, { order_id: 'ord_1' }])
  })

  it('is looked at again when it is asked for once more meanwhile', async () => {
    let looks = 0
    await carried(async () => {
      looks += 1
      if (looks === 1) await use.env.client.workflow.getHandle('sandbox_request:again').signal('wake')
      return {}
    }, 'sandbox_request:again')
    expect(looks).toBe(2)
  })

  it('has no result once it has failed for good', async () => {
    const failed = carried(async () => {
      throw ApplicationFailure.nonRetryable('refused', 'INVALID_INPUT')
    })
    expect(await failed).toBeNull()
  })
})
