import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, it } from '@jest/globals'
import { WorkflowExecutionAlreadyStartedError } from '@temporalio/client'
import { leaveEndpoint, listenSenders, takeEndpoint } from '../../src/store/delivery/endpointSenders.ts'
import { type Relay, type RelayDeps, startRelay } from '../../worker/relayOutbox.ts'
import { hookedDatabase, moment, type StatementHooks } from '../support/hookedDatabase.ts'
import { until } from '../support/until.ts'
import { useDatabase } from '../support/useDatabase.ts'
import { insertOrder } from '../workflows/orderRows.ts'

const db = useDatabase()
let relay: Relay | undefined
afterEach(async () => {
  await relay?.stop()
  await db.pool.query('delete from outbox')
})

const silent = { info: () => undefined, warn: () => undefined }
const UNAVAILABLE = Object.assign(new Error('away'), { code: 14, details: 'away', metadata: {} })

/** The engine, as far as a relay asks it: it counts the wakes that are open, and may be away or keep them waiting. */
function engine() {
  const runs = { running: [] as string[], started: [] as string[], woken: [] as string[], told: [] as unknown[][] }
  const state = { isAway: false, tasks: 0, open: 0, max: 0, ...runs, answer: Promise.resolve() }
  const ask = async () => {
    if (state.isAway) throw UNAVAILABLE
  }
  const signal = async (workflowId: string) => {
    await ask()
    state.open += 1
    state.max = Math.max(state.max, state.open)
    await state.answer
    state.open -= 1
    state.woken.push(workflowId)
  }
  const connection = { withDeadline: (_: unknown, call: () => unknown) => call() }
  const workflow = {
    getHandle: (workflowId: string) => ({
      signal: async ({ name }: { name: string }, ...args: unknown[]) => {
        await signal(workflowId)
        state.told.push([name, ...args])
      },
    }),
    signalWithStart: (_: unknown, { workflowId }: { workflowId: string }) => signal(workflowId),
    start: async (_: unknown, { workflowId }: { workflowId: string }) => {
      await ask()
      if (state.running.includes(workflowId)) throw new WorkflowExecutionAlreadyStartedError('taken', workflowId, 'deliverWorkflow')
      state.started.push(workflowId)
    },
  }
  return Object.assign(state, { connection, client: { workflow }, countTasks: () => ask().then(() => state.tasks) })
}

function relaying(deps: { engine: ReturnType<typeof engine>; hooks?: StatementHooks }): void {
  const { connection, client } = deps.engine as unknown as Pick<RelayDeps, 'connection' | 'client'>
  relay = startRelay({
    ...{ db: hookedDatabase(db, deps.hooks ?? {}), databaseUrl: db.url, connection, client },
    ...{ startsEagerly: false, idle: ['endpoint'], countTasks: () => deps.engine.countTasks(), logger: silent },
  })
}

const leave = (kind: string, targets: readonly string[]) =>
  db.pool.query('insert into outbox (kind, target) select $1, unnest($2::text[])', [kind, targets])
const rows = async (kind: string) =>
  (await db.pool.query('select attempts from outbox where kind = $1', [kind])).rows as { attempts: number }[]

describe('a relay that has stood still for longer than its claim', () => {
  it('does not take what it holds itself for new', async () => {
    const temporal = engine()
    const answered = moment()
    temporal.answer = answered.has
    const never = new Promise(() => undefined)
    relaying({ engine: temporal, hooks: { 'renew-outbox': { before: () => never } } })
    await leave('hold', ['hold_1'])
    await until(() => temporal.open === 1)
    await db.pool.query('update outbox set claimable_at = now()')
    await until(async () => (await rows('hold'))[0]?.attempts !== 1)
    answered.come()
    await until(async () => (await rows('hold')).length === 0)
    expect([temporal.max, temporal.woken]).toEqual([1, ['hold:hold_1']])
  })
})

describe('while the engine is away', () => {
  it('everything waits for it, and goes on once it is back', async () => {
    const temporal = engine()
    temporal.isAway = true
    relaying({ engine: temporal })
    await leave('hold', ['hold_1'])
    await until(async () => ((await rows('hold'))[0]?.attempts ?? 0) > 0)
    await leave('endpoint', ['whe_1'])
    await leave('mail', ['agr-1'])
    await sleep(500) // longer than two polls
    expect([(await rows('endpoint'))[0]?.attempts, temporal.woken]).toEqual([0, []])
    temporal.isAway = false
    await until(() => temporal.woken.length + temporal.started.length === 3)
    expect(temporal.woken.sort()).toEqual(['hold:hold_1', 'mail:agr-1'])
    await until(async () => (await rows('endpoint')).length + (await rows('hold')).length + (await rows('mail')).length === 0)
  })
})

describe('an endpoint with something to send', () => {
  it('has its sender called where it has one, in any process, and its run started or woken where it has none', async () => {
    const temporal = engine()
    await takeEndpoint(db.pool, { endpointId: 'whe_held', sender: 'another' })
    const called: string[] = []
    const calls = listenSenders(db.url, (endpointId) => called.push(endpointId))
    temporal.running = ['deliver:whe_runs']
    relaying({ engine: temporal })
    await until(async () => {
      await db.pool.query(`select pg_notify('endpoint_senders', 'listens')`)
      return called.includes('listens')
    })
    await leave('endpoint', ['whe_held', 'whe_new', 'whe_runs'])
    await until(async () => (await rows('endpoint')).length === 0)
    expect([temporal.started, temporal.woken, called.filter((one) => one !== 'listens')]).toEqual([
      ['deliver:whe_new'],
      ['deliver:whe_runs'],
      ['whe_held'],
    ])
    expect(await leaveEndpoint(db.pool, { endpointId: 'whe_held', sender: 'another' })).toMatchObject({ woken: true })
    await calls.close()
  })
})

describe('an order with several commands', () => {
  it('has its run told of each by its name, in their order, and only woken where there was none', async () => {
    const temporal = engine()
    const orderId = await insertOrder(db.pool, { status: 'placed', last_seq: 5 })
    const commands = [
      { name: 'decided', seq: 4, status: 'negotiating', gate: 'api' },
      { name: 'responded', seq: 5, status: 'placed', gate: 'console' },
    ]
    for (const command of commands)
      await db.pool.query(`insert into outbox (kind, target, command) values ('order', $1, $2)`, [orderId, command])
    relaying({ engine: temporal })
    await until(async () => (await rows('order')).length === 0)
    expect(temporal.told).toEqual([
      ['decided', { seq: 4, status: 'negotiating', gate: 'api' }],
      ['responded', { seq: 5, status: 'placed', gate: 'console' }],
    ])
    await leave('order', [orderId])
    await until(async () => (await rows('order')).length === 0)
    expect(temporal.told.slice(2)).toEqual([['wake']])
  })
})

describe('a burst of runs', () => {
  const holds = (name: string, count: number) =>
    leave(
      'hold',
      Array.from({ length: count }, (_, n) => `${name}_${n}`),
    )

  it('goes to Temporal slowly from when many tasks wait there until the outbox is empty', async () => {
    const temporal = engine()
    const [first, rest, last] = [moment(), moment(), moment()]
    Object.assign(temporal, { tasks: 1_000, answer: first.has })
    relaying({ engine: temporal })
    await holds('early', 100)
    await until(() => temporal.open === 32)
    temporal.answer = rest.has
    first.come()
    await until(() => temporal.woken.length === 32 && temporal.open === 8)
    await sleep(500) // longer than two polls
    expect(temporal.open).toBe(8)
    temporal.tasks = 0
    rest.come()
    await until(() => temporal.woken.length === 100)
    await until(async () => (await rows('hold')).length === 0)
    temporal.answer = last.has
    await holds('late', 40)
    await until(() => temporal.open === 32)
    last.come()
    await until(() => temporal.woken.length === 140)
  })
})
