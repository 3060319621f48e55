import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { MockActivityEnvironment, type TestWorkflowEnvironment } from '@temporalio/testing'
import { DefaultLogger, Runtime, Worker } from '@temporalio/worker'
import { housekeepingActivities } from '../../activities/housekeeping.ts'
import type { ObjectStorage } from '../../src/adapters/files/objectStorage/storage.ts'
import { landResult } from '../../src/operations/drops/landResult.ts'
import { uploadFolder } from '../../src/store/files/uploads.ts'
import { makeSchedules } from '../../worker/schedules.ts'
import { workflowBundle } from '../../worker/workflowBundle.ts'
import { QUEUES } from '../../workflows/messages.ts'
import { devServer, timeSkippingServer } from '../support/engines/temporal.ts'
import { endWith, registered } from '../support/files/drops.ts'
import { announced, attachment, CSV, expires, PDF, putContent, storedText, uploaded } from '../support/files/uploads.ts'
import { until } from '../support/until.ts'
import { useMarket } from '../support/useMarket.ts'

const market = useMarket()
beforeAll(async () => {
  Runtime.install({ logger: new DefaultLogger('ERROR') })
}, 60_000)

const statusOf = async (id: string) => (await market.acme.get(`/uploads/${id}`)).body.status
const rowOf = async (id: string) => (await market.deps.db.pool.query('select * from uploads where upload_id = $1', [id])).rows[0]
const isThere = (id: string, claimedAt: string) => market.deps.objects.exists(`${uploadFolder(id)}/${Date.parse(claimedAt)}`)
const lapse = (objects: ObjectStorage = market.deps.objects) =>
  new MockActivityEnvironment().run(housekeepingActivities({ ...market.deps, objects }).lapseUploads) as Promise<{
    lapsed: number
    cleared: number
  }>
async function due(): Promise<string> {
  const id = await uploaded(market, market.acme)
  await expires(market, id)
  return id
}

it('forgets deliveries that were done with more than thirty days ago, and no others', async () => {
  const { body: endpoint } = await market.acme.post('/webhooks/endpoints', { url: 'https://hooks.acme.example/' })
  const ages = [
    ['delivered', 31],
    ['dropped', 31],
    ['pending', 31],
    ['delivered', 29],
  ]
  for (const [status, days] of ages)
    await market.deps.db.pool.query(
      `insert into deliveries (endpoint_id, event_type, event_id, status, created_at, made, attempts)
        values ($1, 'webhook.test', 'e', $2, now() - $3 * interval '1 day', json_array_length($4::json), $4)`,
      [
        endpoint.endpoint_id,
        status,
        days,
        JSON.stringify(status === 'delivered' ? [{ at: new Date().toISOString(), status_code: 200 }] : []),
      ],
    )
  const { deleteOldDeliveries } = housekeepingActivities(market.deps)
  expect(await new MockActivityEnvironment().run(deleteOldDeliveries)).toBe(2)
  const { rows } = await market.deps.db.pool.query('select status from deliveries order by delivery_no')
  expect(rows).toEqual([{ status: 'pending' }, { status: 'delivered' }])
})

it('deletes the files of drops that ended more than thirty days ago, and keeps their records', async () => {
  const { db, drops } = market.deps
  const ended = async (id: string, days: number) => {
    await registered(market, market.cable, id, { 'a.csv': id })
    await endWith(db, { seller: 'cable', drop_id: id, run_no: 1 }, { avails: { rows_written: 1, rows_rejected: 0 } })
    await landResult({ db, drops }, 'cable', id)
    await db.pool.query(`update drop_files set landed_at = now() - $2 * interval '1 day' where drop_id = $1`, [id, days])
    await db.pool.query(`update drops set ended_at = now() - $2 * interval '1 day' where drop_id = $1`, [id, days])
  }
  await ended('d-old', 31)
  await ended('d-young', 29)
  await ended('d-again', 31)
  await db.pool.query(`update drop_files set landed_at = now() - interval '31 days' where drop_id = 'd-again'`)
  const aged: ObjectStorage = {
    ...drops,
    async *list(prefix) {
      for await (const object of drops.list(prefix)) {
        const isNew = object.name === 'cable/d-again/a.csv'
        yield isNew ? object : { ...object, modifiedAt: object.modifiedAt - 31 * 86_400_000 }
      }
    },
  }
  await new MockActivityEnvironment().run(housekeepingActivities({ ...market.deps, drops: aged }).lapseUploads)
  const left = async (id: string) => Promise.all(['a.csv', 'success.json'].map((name) => drops.exists(`cable/${id}/${name}`)))
  expect([await left('d-old'), await left('d-young'), await left('d-again')]).toEqual([
    [false, false],
    [true, true],
    [true, false],
  ])
  expect((await market.cable.get('/me/files/d-old')).body).toMatchObject({ status: 'success' })
  expect((await db.pool.query(`select from drop_files where drop_id = 'd-old'`)).rowCount).toBe(0)
})

describe('the lapse of uploads', () => {
  it('deletes the objects of what lapsed or was rejected, and of nothing else', async () => {
    const [lapsing, attached, young] = [await due(), await uploaded(market, market.acme), await uploaded(market, market.acme)]
    const rejected = await announced(market.acme, PDF)
    await putContent(market, market.acme, rejected, CSV)
    await market.created({ attachments: [attachment(attached)] })
    await expires(market, attached)
    const { claimed_at } = await rowOf(lapsing)
    expect(await isThere(lapsing, claimed_at)).toBe(true)
    expect(await lapse()).toEqual({ lapsed: 1, cleared: 2 })
    expect(await isThere(lapsing, claimed_at)).toBe(false)
    expect(await Promise.all([lapsing, attached, young, rejected].map(statusOf))).toEqual(['expired', 'uploaded', 'uploaded', 'rejected'])
    expect(await storedText(market, attached)).toBe(PDF.toString())
    expect(await lapse()).toEqual({ lapsed: 0, cleared: 0 })
  })

  it('that dies between two objects is finished by the next, and no object goes before its record says so', async () => {
    const ids = [await due(), await due(), await due()]
    const stamps = await Promise.all(ids.map(async (id) => (await rowOf(id)).claimed_at as string))
    let deleted = 0
    const dying: ObjectStorage = {
      ...market.deps.objects,
      async delete(name) {
        const statuses = await Promise.all(ids.map(async (id) => (await rowOf(id)).status))
        expect(statuses).toEqual(['expired', 'expired', 'expired'])
        deleted += 1
        if (deleted > 1) throw new Error('killed')
        await market.deps.objects.delete(name)
      },
    }
    await expect(lapse(dying)).rejects.toThrow('see the log of the worker')
    const left = await Promise.all(ids.map((id, index) => isThere(id, stamps[index] ?? '')))
    expect(left.filter((there) => there)).toHaveLength(2)
    expect(await lapse()).toEqual({ lapsed: 0, cleared: 3 })
    expect(await Promise.all(ids.map((id, index) => isThere(id, stamps[index] ?? '')))).toEqual([false, false, false])
  })
})

describe('the schedule on the engine', () => {
  let env: TestWorkflowEnvironment
  beforeAll(async () => {
    env = await devServer()
  }, 60_000)
  afterAll(() => env.teardown())

  it('is made once by any number of workers, and stays paused where an operator paused it', async () => {
    const { client } = env
    expect(await Promise.all(Array.from({ length: 4 }, () => makeSchedules(client)))).toEqual(Array(4).fill(undefined))
    const handle = client.schedule.getHandle('housekeeping')
    expect((await handle.describe()).spec.intervals).toMatchObject([{ every: 600_000 }])
    await handle.pause('looking into it')
    expect(await makeSchedules(client)).toBeUndefined()
    expect((await handle.describe()).state).toMatchObject({ paused: true, note: 'looking into it' })
    await handle.unpause()
  })

  it.each([
    ['housekeeping', 'housekeepingWorkflow', 10],
    ['settlement', 'settlementWorkflow', 60],
  ])('starts %s at its times, one run at a time, and one run for all that were missed', async (id, workflowType, minutes) => {
    await makeSchedules(env.client)
    const { spec, action, policies } = await env.client.schedule.getHandle(id).describe()
    expect(spec.intervals).toMatchObject([{ every: minutes * 60_000 }])
    expect(action).toMatchObject({ type: 'startWorkflow', workflowType, workflowId: id, taskQueue: QUEUES.orders })
    expect(policies).toMatchObject({ overlap: 'SKIP', catchupWindow: minutes * 60_000 })
  })

  it('runs the lapse', async () => {
    const { client } = env
    await makeSchedules(client)
    const id = await due()
    const worker = await Worker.create({
      connection: env.nativeConnection,
      namespace: env.namespace ?? 'default',
      taskQueue: QUEUES.orders,
      workflowBundle: await workflowBundle(),
      activities: housekeepingActivities(market.deps),
    })
    await worker.runUntil(async () => {
      await client.schedule.getHandle('housekeeping').trigger()
      await until(async () => (await rowOf(id)).status === 'expired' && (await rowOf(id)).claimed_at === null)
    })
  })
})

describe('a server without schedules', () => {
  it('is reported in one sentence, and nothing fails', async () => {
    const env = await timeSkippingServer()
    try {
      expect(await makeSchedules(env.client)).toMatch(/^The schedule housekeeping cannot be set up/)
    } finally {
      await env.teardown()
    }
  })
})
