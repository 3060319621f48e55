import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, it } from '@jest/globals'
import type { Left } from '../../activities/deliveries.ts'
import { type Relay, type RelayDeps, startRelay } from '../../worker/relayOutbox.ts'
import { hookedDatabase, moment, type StatementHooks } from '../support/hookedDatabase.ts'
import { until } from '../support/until.ts'
import { useDatabase } from '../support/useDatabase.ts'

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
  const state = { isAway: false, tasks: 0, open: 0, most: 0, woken: [] as string[], answer: Promise.resolve() }
  const ask = async () => {
    if (state.isAway) throw UNAVAILABLE
  }
  const signal = async (workflowId: string) => {
    await ask()
    state.open += 1
    state.most = Math.max(state.most, state.open)
    await state.answer
    state.open -= 1
    state.woken.push(workflowId)
  }
  const connection = { withAbortSignal: (_: unknown, call: () => unknown) => call(), workflowService: { getSystemInfo: ask } }
  const workflow = {
    getHandle: (workflowId: string) => ({ signal: () => signal(workflowId) }),
    signalWithStart: (_: unknown, { workflowId }: { workflowId: string }) => signal(workflowId),
  }
  return Object.assign(state, { connection, client: { workflow } })
}

function relaying(deps: { engine: ReturnType<typeof engine>; hooks?: StatementHooks } & Pick<RelayDeps, 'dispatcher'>): void {
  const { connection, client } = deps.engine as unknown as Pick<RelayDeps, 'connection' | 'client'>
  const hooked = hookedDatabase(db, deps.hooks ?? {})
  relay = startRelay({
    ...{ db: hooked, databaseUrl: db.url, connection, client, dispatcher: deps.dispatcher },
    ...{ startsEagerly: false, idle: ['endpoint'], awayMs: 500, countTasks: async () => deps.engine.tasks, logger: silent },
  })
}

const leave = (kind: string, targets: readonly string[]) =>
  db.pool.query('insert into outbox (kind, target) select $1, unnest($2::text[])', [kind, targets])
const rows = async (kind: string) =>
  (await db.pool.query('select attempts from outbox where kind = $1', [kind])).rows as { attempts: number }[]

describe('a relay that has stood still for longer than its claim', () => {
  it('does not take what it holds itself for new, so that what fails is done once more', async () => {
    const failing = moment()
    let [sent, woken, isOut] = [0, 0, false]
    const dispatcher = {
      wake: () => {
        if (isOut) woken += 1
        return isOut
      },
      send: async (): Promise<Left> => {
        sent += 1
        if (sent > 1) return 'nothing'
        isOut = true
        await failing.has
        isOut = false
        throw new Error('failed')
      },
    }
    const never = new Promise(() => undefined)
    relaying({ engine: engine(), dispatcher, hooks: { 'renew-outbox': { before: () => never } } })
    await leave('endpoint', ['whe_1'])
    await until(() => sent === 1)
    await db.pool.query('update outbox set claimable_at = now()')
    await until(async () => (await rows('endpoint'))[0]?.attempts !== 1)
    failing.come()
    await until(async () => (await rows('endpoint')).length === 0)
    expect([sent, woken]).toEqual([2, 0])
  })
})

describe('while the engine is away', () => {
  it('what endpoints are sent goes on, and what needs the engine waits for it', async () => {
    const temporal = engine()
    temporal.isAway = true
    const sent: string[] = []
    const send = async (target: string): Promise<Left> => {
      sent.push(target)
      return target === 'whe_waits' ? 'run' : 'nothing'
    }
    relaying({ engine: temporal, dispatcher: { wake: () => false, send } })
    await leave('hold', ['hold_1'])
    await until(async () => ((await rows('hold'))[0]?.attempts ?? 0) > 0)
    await leave('endpoint', ['whe_1', 'whe_waits'])
    await until(async () => sent.includes('whe_1') && (await rows('endpoint')).length === 1)
    expect([sent.sort(), temporal.woken]).toEqual([['whe_1', 'whe_waits'], []])
    temporal.isAway = false
    await until(() => temporal.woken.length === 2)
    expect(temporal.woken.sort()).toEqual(['deliver:whe_waits', 'hold:hold_1'])
    await until(async () => (await rows('endpoint')).length + (await rows('hold')).length === 0)
  })
})

describe('runs of endpoints that are woken after all', () => {
  it('are so by and by, though all of them come at the same time', async () => {
    const temporal = engine()
    const [ended, answered] = [moment(), moment()]
    temporal.answer = answered.has
    let sent = 0
    const send = async (): Promise<Left> => {
      sent += 1
      await ended.has
      return 'run'
    }
    relaying({ engine: temporal, dispatcher: { wake: () => false, send } })
    await leave(
      'endpoint',
      Array.from({ length: 100 }, (_, n) => `whe_${n}`),
    )
    await until(() => sent === 100)
    ended.come()
    await until(() => temporal.open > 0)
    answered.come()
    await until(() => temporal.woken.length === 100)
    expect(temporal.most).toBeLessThanOrEqual(32)
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
