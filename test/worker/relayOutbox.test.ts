import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, it } from '@jest/globals'
import { WorkflowExecutionAlreadyStartedError, WorkflowNotFoundError } from '@temporalio/client'
import { OUTBOX_CARRIED } from '../../src/metrics/work.ts'
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

const said: string[] = []
const logger = { info: (message: string) => void said.push(message), warn: (message: string) => void said.push(message) }
const UNAVAILABLE = Object.assign(new Error('away'), { code: 14, details: 'away', metadata: {} })

/** The engine, as far as a relay asks it: it counts the wakes that are open, and may be away or keep them waiting. */
function engine() {
  const runs = { running: [] as string[], gone: [] as string[], started: [] as string[], woken: [] as string[], told: [] as unknown[][] }
  const options: Record<string, unknown>[] = []
  const state = {
    isAway: false,
    failure: undefined as Error | undefined,
    tasks: 0,
    open: 0,
    max: 0,
    ...runs,
    options,
    answer: Promise.resolve(),
  }
  const ask = async () => {
    if (state.isAway) throw UNAVAILABLE
    if (state.failure !== undefined) throw state.failure
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
        if (state.gone.includes(workflowId)) throw new WorkflowNotFoundError('gone', workflowId, undefined)
        await signal(workflowId)
        state.told.push([name, ...args])
      },
    }),
    signalWithStart: (_: unknown, given: { workflowId: string }) => {
      options.push(given)
      return signal(given.workflowId)
    },
    start: async (_: unknown, given: { workflowId: string }) => {
      const { workflowId } = given
      await ask()
      options.push(given)
      if (state.running.includes(workflowId)) throw new WorkflowExecutionAlreadyStartedError('taken', workflowId, 'deliverWorkflow')
      state.started.push(workflowId)
    },
  }
  return Object.assign(state, { connection, client: { workflow }, countTasks: () => ask().then(() => state.tasks) })
}

function relaying(deps: { engine: ReturnType<typeof engine>; hooks?: StatementHooks; isServing?: () => boolean; idle?: string[] }): void {
  said.length = 0
  const { connection, client } = deps.engine as unknown as Pick<RelayDeps, 'connection' | 'client'>
  relay = startRelay({
    ...{ db: hookedDatabase(db, deps.hooks ?? {}), databaseUrl: db.url, connection, client },
    ...{ startsEagerly: false, idle: deps.idle ?? ['endpoint'], countTasks: () => deps.engine.countTasks(), logger },
    ...(deps.isServing && { isServing: deps.isServing }),
  })
}

const leave = (kind: string, targets: readonly string[]) =>
  db.pool.query('insert into outbox (kind, target) select $1, unnest($2::text[])', [kind, targets])
/** In how many seconds another relay may claim a row. */
const claimedFor = async (target: string): Promise<number> =>
  (await db.pool.query(`select extract(epoch from claimable_at - now())::float as left from outbox where target = $1`, [target])).rows[0]
    ?.left
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

describe('a row that is being carried', () => {
  it('stays claimed for as long as its call takes', async () => {
    const temporal = engine()
    const answered = moment()
    temporal.answer = answered.has
    relaying({ engine: temporal })
    await leave('hold', ['hold_slow'])
    await until(() => temporal.open === 1)
    const over = performance.now() + 2_600
    let least = Number.POSITIVE_INFINITY
    while (performance.now() < over) {
      least = Math.min(least, await claimedFor('hold_slow'))
      await sleep(50)
    }
    expect(least).toBeGreaterThan(0.5)
    answered.come()
    await until(async () => (await rows('hold')).length === 0)
  })

  it('is carried to its end by a stop, and written down as carried', async () => {
    const temporal = engine()
    const answered = moment()
    temporal.answer = answered.has
    relaying({ engine: temporal })
    await leave('hold', ['hold_last'])
    await until(() => temporal.open === 1)
    const stopping = relay?.stop()
    await leave('hold', ['hold_later'])
    answered.come()
    await stopping
    expect((await db.pool.query('select target from outbox')).rows).toEqual([{ target: 'hold_later' }])
  })

  it('and cannot be is tried again later each time, up to half a minute, and is told of', async () => {
    const temporal = engine()
    temporal.failure = new Error('refused')
    const tried = [0, 1, 4, 9]
    await db.pool.query(`insert into outbox (kind, target, attempts) select 'hold', 'hold_' || n, n from unnest($1::int[]) n`, [tried])
    let released = 0
    relaying({ engine: temporal, hooks: { 'release-outbox': { after: () => ++released } } })
    await until(() => released >= tried.length)
    const pauses = await Promise.all(tried.map((n) => claimedFor(`hold_${n}`)))
    for (const [index, most] of [1, 2, 16, 30].entries()) {
      expect(pauses[index]).toBeLessThanOrEqual(most)
      expect(pauses[index]).toBeGreaterThan(most * 0.75 - 0.7) // and what a busy machine takes to ask
    }
    expect(said).toContain('the run of hold hold_9 could not be woken')
  })

  it('of a kind that this worker does not know is left to others, and counted under no name of its own', async () => {
    const counted = async (kind: string, outcome: string) =>
      (await OUTBOX_CARRIED.get()).values.find(({ labels }) => labels.kind === kind && labels.outcome === outcome)?.value ?? 0
    const labels = [
      ['unknown', 'failed'],
      ['elsewhere', 'failed'],
      ['hold', 'carried'],
    ] as const
    const before = await Promise.all(labels.map(([kind, outcome]) => counted(kind, outcome)))
    relaying({ engine: engine() })
    await leave('elsewhere', ['x_1'])
    await leave('hold', ['hold_1'])
    await until(() => said.includes('the run of elsewhere x_1 could not be woken'))
    await until(async () => (await rows('hold')).length === 0)
    const after = await Promise.all(labels.map(([kind, outcome]) => counted(kind, outcome)))
    expect(after.map((count, at) => count - (before[at] ?? 0))).toEqual([1, 0, 1])
    expect(await rows('elsewhere')).toEqual([{ attempts: 1 }])
  })
})

describe('a relay', () => {
  it('claims nothing while its worker works on no runs', async () => {
    const temporal = engine()
    let isServing = false
    relaying({ engine: temporal, isServing: () => isServing })
    await leave('hold', ['hold_1'])
    await sleep(500) // longer than two polls
    expect(await rows('hold')).toEqual([{ attempts: 0 }])
    isServing = true
    await until(async () => (await rows('hold')).length === 0)
  })

  it('finds at its start what stood still, but nothing of a kind that its worker cannot advance', async () => {
    const orderId = await insertOrder(db.pool, { status: 'seller_review', due_at: new Date(Date.now() - 120_000).toISOString() })
    await db.pool.query('delete from outbox')
    const temporal = engine()
    relaying({ engine: temporal, idle: ['order'] })
    await sleep(500) // longer than a sweep of nothing
    expect([temporal.woken, await rows('order')]).toEqual([[], []])
    await relay?.stop()
    relaying({ engine: temporal })
    await until(() => temporal.woken.length > 0)
    expect([temporal.woken, said]).toEqual([[`order:${orderId}`], ['1 orders that stood still are looked at']])
  })

  it('tells once that the outbox cannot be read, and again when that comes again', async () => {
    let isAway = true
    let tries = 0
    const claims = {
      before: () => {
        tries += 1
        if (isAway) throw new Error('away')
      },
    }
    relaying({ engine: engine(), hooks: { 'claim-outbox': claims } })
    const fails = async () => {
      const from = tries
      isAway = true
      await until(() => tries > from + 2)
    }
    await fails()
    isAway = false
    await relay?.ready
    await fails()
    expect(said).toEqual(Array.from({ length: 2 }, () => 'the outbox cannot be read'))
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
    expect(said).toEqual(['Temporal is away; what waits for it is kept'])
    temporal.isAway = false
    await until(() => temporal.woken.length + temporal.started.length === 3)
    expect(said).toContain('Temporal is back')
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

describe('a run', () => {
  it('of a new order is started once, whoever else starts it, and said to be lost after five seconds', async () => {
    const temporal = engine()
    const orderId = await insertOrder(db.pool)
    relaying({ engine: temporal })
    await until(async () => (await rows('order')).length === 0)
    expect(temporal.options).toMatchObject([
      {
        ...{ workflowId: `order:${orderId}`, taskQueue: 'orders', args: [orderId], workflowTaskTimeout: '5 s' },
        ...{ workflowIdConflictPolicy: 'USE_EXISTING', requestEagerStart: false, staticSummary: `catalog order ${orderId}` },
      },
    ])
  })

  it('that is gone is started with what it was to be told, unless its order is closed', async () => {
    const temporal = engine()
    const open = await insertOrder(db.pool, { status: 'seller_review', last_seq: 3 })
    const closed = await insertOrder(db.pool, { status: 'placed', last_seq: 4, closed: true })
    temporal.gone = [`order:${open}`, `order:${closed}`]
    relaying({ engine: temporal })
    await until(async () => (await rows('order')).length === 0)
    expect(temporal.options).toMatchObject([{ workflowId: `order:${open}`, signal: { name: 'wake' }, signalArgs: [] }])
  })

  it('of an endpoint that ends before it is woken is started', async () => {
    const temporal = engine()
    Object.assign(temporal, { running: ['deliver:whe_ends'], gone: ['deliver:whe_ends'] })
    relaying({ engine: temporal })
    await leave('endpoint', ['whe_ends'])
    await until(async () => (await rows('endpoint')).length === 0)
    expect([temporal.started, temporal.woken]).toEqual([[], ['deliver:whe_ends']])
    expect(temporal.options.at(-1)).toMatchObject({ signal: { name: 'wake' }, signalArgs: [], staticSummary: 'endpoint whe_ends' })
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
    expect(said).toEqual([]) // nor was anything asked of the outbox for which there was no place
  })
})
