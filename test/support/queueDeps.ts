import { tmpdir } from 'node:os'
import { openSpool } from '../../src/operations/drops/spool.ts'
import { openLargeOrders } from '../../src/operations/settlement/largeOrders.ts'
import { openWebhookDispatcher } from '../../src/operations/webhooks/dispatcher.ts'
import { callingInActivities } from '../../worker/inActivity.ts'
import type { servedQueues } from '../../worker/queues.ts'
import type { TestApp } from './http/app.ts'

/** Returns the dependencies of a worker's queues in this process, on the database of an app, without a mail server. */
export function queueDeps({ deps, databaseUrl }: Pick<TestApp, 'deps' | 'databaseUrl'>) {
  const { db, orders: log, objects, drops, secrets } = deps
  const outbound = callingInActivities(deps.outbound)
  return {
    ...{ db, log, objects, drops, outbound, secrets },
    spool: openSpool(tmpdir()),
    productsPerSeller: 100,
    dispatcher: openWebhookDispatcher({ db, outbound, secrets }),
    mailSender: undefined,
    largeOrders: openLargeOrders(databaseUrl),
  } satisfies Omit<Parameters<typeof servedQueues>[0], 'workflowBundle'>
}
