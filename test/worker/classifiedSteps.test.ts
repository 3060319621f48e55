import { afterAll, describe, expect, it } from '@jest/globals'
import { ApplicationFailure } from '@temporalio/common'
import { MockActivityEnvironment } from '@temporalio/testing'
import { DefaultLogger, type WorkflowBundle } from '@temporalio/worker'
import { openDatabase } from '../../src/store/connection/database.ts'
import { openOrderLog } from '../../src/store/orders/orderLog.ts'
import { servedQueues } from '../../worker/queues.ts'
import { orderMail, smtpMailer } from '../support/edi/orderMail.ts'
import { queueDeps } from '../support/queueDeps.ts'
import { useMarket } from '../support/useMarket.ts'

const market = useMarket()
/** Nobody listens there, as if the database were down. */
const databaseUrl = 'postgres://marketplace@127.0.0.1:1/marketplace'
const db = openDatabase(databaseUrl)
afterAll(() => db.close())

type Step = (target: string) => Promise<unknown>

/** Every step that a worker takes, with a database that is away. */
function steps(): [name: string, step: Step][] {
  const deps = { ...market.deps, db, orders: openOrderLog(db, () => undefined) }
  const mailSender = orderMail({ ...market, deps }, smtpMailer(1)).sender
  const served = servedQueues({ ...queueDeps({ deps, databaseUrl }), mailSender, workflowBundle: {} as WorkflowBundle })
  return [...new Map(Object.values(served).flatMap(({ activities = {} }) => Object.entries(activities)))] as ReturnType<typeof steps>
}

describe('a step of any run', () => {
  it('that fails tells its history a word for operators, and nothing of what the driver said', async () => {
    const run = (step: Step) => new MockActivityEnvironment({}, { logger: new DefaultLogger('ERROR') }).run(step, 'a/b')
    const told = await Promise.all(steps().map(async ([name, step]) => [name, shownOf(await run(step).catch((error) => error))]))
    expect(told.length).toBeGreaterThan(20)
    expect(told).toEqual(told.map(([name]) => [name, 'database_unavailable: see the log of the worker']))
  }, 30_000)
})

/** What a history would show of a failure: of any other error than a failure with a type, its class. */
function shownOf(error: unknown): string {
  if (error instanceof ApplicationFailure) return `${error.type}: ${error.message}`
  return error instanceof Error ? `${error.name}: ${error.message}` : 'no failure'
}
