import { afterAll, beforeAll, describe, it } from '@jest/globals'
import type { TestWorkflowEnvironment } from '@temporalio/testing'
import { DefaultLogger, Runtime } from '@temporalio/worker'
import { endProcess } from '../support/childProcesses.ts'
import { orderRun } from '../support/engines/orderRun.ts'
import { devServer } from '../support/engines/temporal.ts'
import { workerProcesses } from '../support/engines/workerProcesses.ts'
import { until } from '../support/until.ts'
import { useMarket } from '../support/useMarket.ts'

const market = useMarket()
const workers = workerProcesses()
let env: TestWorkflowEnvironment
beforeAll(async () => {
  Runtime.install({ logger: new DefaultLogger('ERROR') })
  env = await devServer()
}, 60_000)
market.beforeStop(workers.kill)
afterAll(() => env.teardown())

describe('a worker that is killed while an order waits for its seller', () => {
  it('is followed by the next one, which brings the order to its end', async () => {
    const settings = { DATABASE_URL: market.databaseUrl, TEMPORAL_ADDRESS: env.address, SECRETS_KEY: market.secretsKey.toString('base64') }
    const first = await workers.start(settings)
    const order = await market.created()
    await until(async () => (await market.snapshot(order)).status === 'seller_review', 30)
    await endProcess(first, 'SIGKILL')
    await market.cable.post(`/me/orders/${order}/decide`, { decision: 'approve', actor: 'Ada' })
    await workers.start(settings)
    await (await orderRun(env.client, order)).result()
  }, 120_000)
})
