import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from '@jest/globals'
import type { Players } from '../../src/local/sandbox/players.ts'
import { servedQueues } from '../../worker/queues.ts'
import { RUNS, runIdOf, runOf } from '../../worker/runs.ts'
import { QUEUES, WORKFLOWS } from '../../workflows/messages.ts'
import { queueDeps } from '../support/queueDeps.ts'
import { useApp } from '../support/useApp.ts'

const app = useApp()

const served = (players?: Players) => servedQueues({ workflowBundle: { code: '' }, ...queueDeps(app), players })

describe.each(RUNS.map((run) => [run.kind, run] as const))('the run of kind %s', (kind, run) => {
  it('has its workflow tasks polled', () => {
    expect(served()[run.queue]).toMatchObject({ workflowBundle: {}, activities: expect.anything() })
    expect(Object.values(WORKFLOWS)).toContain(run.workflow)
  })

  it('has a sweep, which finds nothing in an empty market', async () => expect(await run.sweep(app.deps.db)).toBe(0))

  it('has its open work found, none in an empty market', async () =>
    expect((await app.deps.db.pool.query(`select target from (${run.open}) as work`)).rows).toEqual([]))

  it('is found by its kind, and has an id of its own', () => {
    expect(runOf(kind)).toBe(run)
    expect(RUNS.filter(({ idPrefix }) => runIdOf(kind, 'x') === `${idPrefix}:x`)).toEqual([run])
  })
})

describe('the outbox', () => {
  it('is left rows only of kinds that have a run, and each kind is used', () => {
    const store = new URL('../../src/store/', import.meta.url)
    const files = readdirSync(store, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'))
    const left = files.flatMap((name) =>
      [...readFileSync(new URL(name, store), 'utf8').matchAll(LEAVES)].map(([, sql, built]) => sql ?? built),
    )
    expect([...new Set(left)].sort()).toEqual(RUNS.map(({ kind }) => kind).sort())
  })

  it('keeps a row of a kind that this worker does not know', () =>
    expect(() => runOf('elsewhere')).toThrow(/no row for the kind elsewhere/))
})

describe('a queue', () => {
  it('has as many places as its neighbors can bear', () => {
    const places = Object.entries(served({} as Players)).map(([queue, { maxConcurrentActivityTaskExecutions }]) => [
      queue,
      maxConcurrentActivityTaskExecutions,
    ])
    expect(Object.fromEntries(places)).toEqual({
      orders: undefined, // of the database alone: the SDK's own
      deliveries: 4_096,
      documents: 200,
      'seller-calls': 1_000,
      'seller-availability': 1_000,
      drops: 2,
      mail: 200,
      reconciling: 2,
      sandbox: 20,
    })
  })

  it('of workflows leaves places free for eager starts beside its polls', () => {
    const { maxConcurrentWorkflowTaskExecutions = 0, workflowTaskPollerBehavior, maxCachedWorkflows = 0 } = served().orders
    const polls = (workflowTaskPollerBehavior as { maximum: number }).maximum
    expect(maxConcurrentWorkflowTaskExecutions - polls).toBe(20)
    expect(maxCachedWorkflows).toBeGreaterThanOrEqual(3 * maxConcurrentWorkflowTaskExecutions)
  })

  it('is polled, each of them, but that of a sandbox only where parties act', () => {
    const elsewhere = Object.values(QUEUES).filter((queue) => queue !== QUEUES.sandbox)
    expect(Object.keys(served()).sort()).toEqual(elsewhere.sort())
    expect(Object.keys(served({} as Players)).sort()).toEqual(Object.values(QUEUES).sort())
  })
})

/** `insert into outbox (kind, target) select 'order', …`, and the same by the query builder. */
const LEAVES = /insert into outbox \(kind, target\) select (?:distinct )?'(\w+)'|insertInto\('outbox'\)\.values\(\{ kind: '(\w+)'/g
