import { describe, expect, it } from '@jest/globals'
import type { WorkflowHandle } from '@temporalio/client'
import type { DeliveryState } from '../../activities/deliveries.ts'
import { QUEUES, WORKFLOWS, wake } from '../../workflows/messages.ts'
import { until } from '../support/until.ts'
import { storyOf } from './storyOf.ts'
import { useTimeSkipping } from './useTimeSkipping.ts'

/** What the next steps leave; after them nothing waits. */
let left: ((now: number) => DeliveryState | Promise<DeliveryState>)[] = []
let steps = 0
const time = useTimeSkipping(QUEUES.deliveries, {
  deliver: async (): Promise<DeliveryState> => {
    steps += 1
    const state = left.shift()
    return state === undefined ? { at: null, waiting: 0, delivered: 1, last_status: 204 } : state(await time.env.currentTimeMs())
  },
})

const waits =
  (milliseconds: number, next: string) =>
  (now: number): DeliveryState => ({ at: new Date(now + milliseconds).toISOString(), waiting: 1, delivered: 0, last_status: 500, next })

async function start(endpointId: string, ...states: typeof left): Promise<WorkflowHandle> {
  left = states
  steps = 0
  const options = { workflowId: `deliver:${endpointId}`, taskQueue: QUEUES.orders, args: [endpointId] }
  return time.env.client.workflow.start(WORKFLOWS.delivery, options)
}
const story = async (run: WorkflowHandle) => storyOf((await run.fetchHistory()).events ?? [])

describe('the run of an endpoint', () => {
  it('waits for a retry by a timer that says which, and tells in the end what it did', async () => {
    const run = await start('whe_fails', waits(2_000, 'retry 2 of 3'), waits(8_000, 'retry 3 of 3'))
    await run.result()
    expect(await story(run)).toEqual([
      'step deliver',
      'timer retry 2 of 3',
      'timer retry 2 of 3: fired',
      'step deliver',
      'timer retry 3 of 3',
      'timer retry 3 of 3: fired',
      'step deliver',
      'result {"at":null,"waiting":0,"delivered":1,"last_status":204}',
    ])
  })

  it('tells in the end the sum of what its steps have delivered, and the last status that there was', async () => {
    const one = (now: number): DeliveryState => ({ ...waits(1_000, 'retry 2 of 3')(now), delivered: 2 })
    const none = (): DeliveryState => ({ at: null, waiting: 0, delivered: 3, last_status: null })
    expect(await (await start('whe_sums', one, none)).result()).toEqual({ at: null, waiting: 0, delivered: 5, last_status: 500 })
  })

  it('that is woken while it sends looks once more before it ends', async () => {
    const busy = async (): Promise<DeliveryState> => {
      await time.env.client.workflow.getHandle('deliver:whe_busy').signal(wake)
      return { at: null, waiting: 0, delivered: 1, last_status: 204 }
    }
    await (await start('whe_busy', busy)).result()
    expect(steps).toBe(2)
  })

  it('that is woken while it waits delivers at once', async () => {
    const run = await start('whe_woken', waits(600_000, 'no secret can sign'))
    await until(() => steps === 1)
    await run.signal(wake)
    await run.result()
    const { events } = await run.fetchHistory()
    expect(events?.filter((event) => event.timerFiredEventAttributes)).toEqual([])
    expect(steps).toBe(2)
  })
})
