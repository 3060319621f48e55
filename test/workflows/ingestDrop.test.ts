import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { ApplicationFailure } from '@temporalio/activity'
import type { WorkflowHandle } from '@temporalio/client'
import type { TestWorkflowEnvironment } from '@temporalio/testing'
import { DefaultLogger, Runtime, Worker } from '@temporalio/worker'
import type { DropActivities, DropLookActivities } from '../../activities/drops.ts'
import type { DropHead } from '../../src/domain/drops/dropHead.ts'
import { registerSearchAttributes } from '../../worker/searchAttributes.ts'
import { workflowBundle } from '../../worker/workflowBundle.ts'
import { QUEUES, wake } from '../../workflows/messages.ts'
import { timeSkippingServer } from '../support/engines/temporal.ts'
import { until } from '../support/until.ts'

let env: TestWorkflowEnvironment
let workers: Worker[] = []
let working: Promise<unknown>

/** The drops of one seller as the database would have them, in the order of their registrations. */
let drops: DropHead[] = []
let ran: string[] = []
let failing: { stage: string; times: number; type: string } | undefined
let during: (stage: string) => Promise<void> = async () => undefined

const NEXT = { fetch: 'publish', publish: 'avails', avails: 'posts', posts: 'finish', finish: 'ended', ended: 'ended' } as const
const aDrop = (drop_id: string, more: Partial<DropHead> = {}): DropHead => ({
  ...{ seller: 'station', drop_id, run_no: 1, stage: 'fetch', waits_for: null, registered_at: '2026-11-01T00:00:00.000Z' },
  ...{ cursor_file: 0, cursor_row: 0, rows_written: 0, rows_rejected: 0, stuck_reason: null },
  ...more,
})
const openOf = (target: string) => drops.find((drop) => `station/${drop.drop_id}` === target && drop.stage !== 'ended')

const looking: DropLookActivities = {
  lookAtDrop: async (target) => {
    const drop = openOf(target)
    const [first] = drops.filter(({ stage }) => stage !== 'ended')
    return drop === undefined ? null : { ...drop, waits_for: first === drop ? null : (first?.drop_id ?? null) }
  },
}

const stage = (name: DropHead['stage']) => async (target: string) => {
  ran.push(`${target.split('/')[1]}: ${name}`)
  await during(name)
  if (failing?.stage === name && failing.times > 0) {
    failing.times -= 1
    throw ApplicationFailure.create({ message: 'see the log of the worker', type: failing.type })
  }
  const drop = openOf(target)
  if (drop?.stage === name) drops = drops.map((one) => (one === drop ? { ...one, stage: NEXT[name] } : one))
}
const staging: DropActivities = {
  fetchDrop: stage('fetch'),
  publishDrop: stage('publish'),
  mergeDropAvails: stage('avails'),
  storeDropPosts: stage('posts'),
  finishDrop: stage('finish'),
}

beforeAll(async () => {
  Runtime.install({ logger: new DefaultLogger('ERROR') })
  env = await timeSkippingServer()
  await registerSearchAttributes(env.nativeConnection, 'default')
  const { nativeConnection: connection } = env
  workers = await Promise.all([
    Worker.create({ connection, taskQueue: QUEUES.orders, workflowBundle: await workflowBundle(), activities: looking }),
    Worker.create({ connection, taskQueue: QUEUES.drops, activities: staging }),
  ])
  working = Promise.all(workers.map((worker) => worker.run()))
}, 60_000)

afterAll(async () => {
  for (const worker of workers) worker.shutdown()
  await working
  await env.teardown()
})

beforeEach(() => {
  drops = []
  ran = []
  failing = undefined
  during = async () => undefined
})

const start = (dropId: string): Promise<WorkflowHandle> =>
  env.client.workflow.start('ingestDropWorkflow', {
    workflowId: `drop:station/${dropId}`,
    taskQueue: QUEUES.orders,
    args: [`station/${dropId}`],
  })
const details = async (run: WorkflowHandle) => (await run.query<{ currentDetails: string }>('__temporal_workflow_metadata')).currentDetails

describe('the run of a drop', () => {
  it('takes its stages in order and ends', async () => {
    drops = [aDrop('d1')]
    await (await start('d1')).result()
    expect(ran).toEqual(['d1: fetch', 'd1: publish', 'd1: avails', 'd1: posts', 'd1: finish'])
  })

  it('begins where the drop is', async () => {
    drops = [aDrop('d2', { stage: 'posts' })]
    await (await start('d2')).result()
    expect(ran).toEqual(['d2: posts', 'd2: finish'])
  })

  it('that has nothing to do ends', async () => {
    await (await start('nothing')).result()
    expect(ran).toEqual([])
  })

  it('waits for its turn, and goes on when it is woken or a minute has passed', async () => {
    drops = [aDrop('before'), aDrop('d3'), aDrop('d4', { stage: 'finish' })]
    const run = await start('d3')
    await until(async () => (await details(run)).includes("waits for the seller's drop `before`"))
    drops = drops.filter(({ drop_id }) => drop_id !== 'before')
    await run.signal(wake)
    await run.result()
    expect(ran.filter((one) => one.startsWith('d3'))).toHaveLength(5)
  })

  it('finds its turn although nobody wakes it', async () => {
    drops = [aDrop('earlier', { stage: 'finish' }), aDrop('d5')]
    const run = await start('d5')
    await until(async () => (await details(run)).includes('waits'))
    drops = drops.filter(({ drop_id }) => drop_id === 'd5')
    await run.result()
    expect(ran).toHaveLength(5)
  })

  it('ingests a further run of the same drop after the one under way', async () => {
    drops = [aDrop('d6', { stage: 'finish' }), aDrop('d6', { run_no: 2 })]
    await (await start('d6')).result()
    expect(ran).toEqual(['d6: finish', 'd6: fetch', 'd6: publish', 'd6: avails', 'd6: posts', 'd6: finish'])
  })

  it('tries a stage again until it is done, and shows meanwhile why it is stuck', async () => {
    drops = [aDrop('d7')]
    failing = { stage: 'fetch', times: 9, type: 'storage_unavailable' }
    const shown: string[] = []
    const run = await start('d7')
    during = async () => {
      if (ran.length % 3 === 1 && ran.length > 1) shown.push(await details(run))
    }
    await run.result()
    expect(ran.filter((one) => one === 'd7: fetch')).toHaveLength(10)
    expect(shown[0]).toMatch(/^\*\*fetch\*\*|\*\*Stuck\*\* in `fetch`: `storage_unavailable`/)
    const { events } = await run.fetchHistory()
    const reasons = (events ?? []).flatMap(({ upsertWorkflowSearchAttributesEventAttributes: upserted }) => {
      const data = upserted?.searchAttributes?.indexedFields?.DropStuckReason?.data
      return data == null ? [] : [Buffer.from(data).toString()]
    })
    expect(reasons).toEqual(['"storage_unavailable"', expect.not.stringContaining('storage')])
  })

  it('shows its progress while a stage is at work', async () => {
    drops = [aDrop('d8', { stage: 'avails' })]
    const run = await start('d8')
    during = async (name) => {
      if (name !== 'avails') return
      drops = drops.map((drop) => ({ ...drop, rows_written: 20_000, cursor_row: 20_001 }))
      await until(async () => (await details(run)).includes('20000 rows written, 0 rejected; file 1 up to row 20001'), 40)
    }
    await run.result()
  }, 60_000)
})
