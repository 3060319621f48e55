import { describe, expect, it } from '@jest/globals'
import type { WorkflowHandle } from '@temporalio/client'
import { QUEUES, wake } from '../../workflows/messages.ts'
import { until } from '../support/until.ts'
import { aDrop, fakeDrops } from './fakeDrops.ts'
import { timersOf } from './storyOf.ts'
import { currentDetails, useTimeSkipping } from './useTimeSkipping.ts'

const drops = fakeDrops()
const { ran } = drops

const time = useTimeSkipping(QUEUES.drops, drops.stages, drops.looks)

const runOf = (dropId: string): WorkflowHandle => time.env.client.workflow.getHandle(`drop:station/${dropId}`)
const start = (dropId: string): Promise<WorkflowHandle> =>
  time.env.client.workflow.start('ingestDropWorkflow', {
    workflowId: `drop:station/${dropId}`,
    taskQueue: QUEUES.orders,
    args: [`station/${dropId}`],
  })

const AGAIN = 'again after a failure'
const timers = async (run: WorkflowHandle) => timersOf((await run.fetchHistory()).events ?? [])
/** The pauses of a run after failures, in seconds. */
const pauses = async (run: WorkflowHandle) =>
  (await timers(run)).filter(([summary]) => summary === AGAIN).map(([, seconds]) => Math.round(seconds))

describe('the run of a drop', () => {
  it('takes its stages in order and ends', async () => {
    drops.set([aDrop('d1')])
    await (await start('d1')).result()
    expect(ran).toEqual(['d1: fetch', 'd1: publish', 'd1: avails', 'd1: posts', 'd1: finish'])
  })

  it('begins where the drop is', async () => {
    drops.set([aDrop('d2', { stage: 'posts' })])
    await (await start('d2')).result()
    expect(ran).toEqual(['d2: posts', 'd2: finish'])
  })

  it('that has nothing to do ends', async () => {
    drops.set([])
    await (await start('nothing')).result()
    expect(ran).toEqual([])
  })

  it('waits for its turn, and goes on when it is woken or a minute has passed', async () => {
    drops.set([aDrop('before'), aDrop('d3'), aDrop('d4', { stage: 'finish' })])
    const run = await start('d3')
    await until(async () => (await currentDetails(run)).includes("waits for the seller's drop `before`"))
    drops.change((all) => all.filter(({ drop_id }) => drop_id !== 'before'))
    await run.signal(wake)
    await run.result()
    expect(ran.filter((one) => one.startsWith('d3'))).toHaveLength(5)
  })

  it('finds its turn although nobody wakes it', async () => {
    drops.set([aDrop('earlier', { stage: 'finish' }), aDrop('d5')])
    const run = await start('d5')
    await until(async () => (await currentDetails(run)).includes('waits'))
    drops.change((all) => all.filter(({ drop_id }) => drop_id === 'd5'))
    await run.result()
    expect(ran).toHaveLength(5)
  })

  it('ingests a further run of the same drop after the one under way', async () => {
    drops.set([aDrop('d6', { stage: 'finish' }), aDrop('d6', { run_no: 2 })])
    await (await start('d6')).result()
    expect(ran).toEqual(['d6: finish', 'd6: fetch', 'd6: publish', 'd6: avails', 'd6: posts', 'd6: finish'])
  })

  it('tries a stage again until it is done, and shows meanwhile why it is stuck', async () => {
    drops.set([aDrop('d7')])
    drops.fail('fetch', Number.POSITIVE_INFINITY, 'storage_unavailable')
    const run = await start('d7')
    await until(async () => (await currentDetails(run)).startsWith('**Stuck** in `fetch`: `storage_unavailable`'))
    drops.fail('fetch', 3, 'storage_unavailable')
    await run.result()
    expect(ran.slice(-5)).toEqual(['d7: fetch', 'd7: publish', 'd7: avails', 'd7: posts', 'd7: finish'])
    const { events } = await run.fetchHistory()
    const reasons = (events ?? []).flatMap(({ upsertWorkflowSearchAttributesEventAttributes: upserted }) => {
      const data = upserted?.searchAttributes?.indexedFields?.DropStuckReason?.data
      return data == null ? [] : [Buffer.from(data).toString()]
    })
    expect(reasons).toEqual(['"storage_unavailable"', expect.not.stringContaining('storage')])
  })

  it('goes on when the database can be read again', async () => {
    drops.set([aDrop('d9')])
    drops.failLooks(12, 'database_unavailable')
    const run = await start('d9')
    await run.result()
    expect(ran).toHaveLength(5)
    expect((await timers(run)).filter(([summary]) => summary === AGAIN)).toEqual([
      [AGAIN, 1],
      [AGAIN, 2],
    ])
  })

  it('pauses twice as long after each failure up to thirty seconds, and begins again after a stage that is done', async () => {
    drops.set([aDrop('d10')])
    drops.failLooks(7, 'unexpected', true)
    const unreadable = await start('d10')
    await unreadable.result()
    expect((await pauses(unreadable)).slice(0, 7)).toEqual([1, 2, 4, 8, 16, 30, 30])

    drops.set([aDrop('d11')])
    drops.fail('fetch', 2 * 3, 'storage_unavailable')
    let isBroken = false
    drops.during(async (stage) => {
      if (stage !== 'publish' || isBroken) return
      isBroken = true
      drops.fail('publish', 3, 'unexpected')
    })
    const stuck = await start('d11')
    await stuck.result()
    expect(await pauses(stuck)).toEqual([1, 2, 1])
  })

  it('pauses after a failure however often it is woken, since a wake says nothing about what failed', async () => {
    drops.set([aDrop('d12', { stage: 'finish' })])
    drops.failLooks(6, 'unexpected', true)
    const run = await start('d12')
    await until(async () => (await timers(run)).length === 1)
    for (let wakes = 0; wakes < 3; wakes += 1) await run.signal(wake)
    await run.result()
    expect((await pauses(run)).slice(0, 6)).toEqual([1, 2, 4, 8, 16, 30])
    const { events } = await run.fetchHistory()
    expect(events?.filter((event) => event.timerFiredEventAttributes).length).toBeGreaterThanOrEqual(6)
    expect(events?.filter((event) => event.workflowExecutionSignaledEventAttributes)).toHaveLength(3)
  })

  it('looks for its turn each minute, and at a stage that is at work each quarter of one', async () => {
    drops.set([aDrop('first', { stage: 'finish' }), aDrop('d13', { stage: 'finish' })])
    const run = await start('d13')
    await until(async () => (await timers(run)).length > 0)
    drops.change((all) => all.filter(({ drop_id }) => drop_id === 'd13'))
    await run.result()
    expect(await timers(run)).toEqual([
      ['looks for its turn', 60],
      ['shows the progress', 15],
    ])
  })

  it('shows its progress while a stage is at work', async () => {
    drops.set([aDrop('d8', { stage: 'avails' })])
    let attempts = 0
    let attemptsWhenShown: number | undefined
    drops.during(async (stage) => {
      if (stage !== 'avails') return
      drops.change((all) => all.map((drop) => ({ ...drop, rows_written: 20_000, cursor_row: 20_001 })))
      attempts += 1
      await until(async () => (await currentDetails(runOf('d8'))).includes('20000 rows written, 0 rejected; file 1 up to row 20001'), 40)
      attemptsWhenShown ??= attempts
    })
    await (await start('d8')).result()
    // The attempts send no heartbeats, so a second one has begun; after three the stage would have failed, and the run would look anyway.
    expect(attemptsWhenShown).toBeLessThan(3)
  }, 60_000)
})
