import { describe, expect, it } from '@jest/globals'
import { currentRelease, makeCurrent } from '../../src/adapters/temporal/workerReleases.ts'
import { endProcess } from '../support/childProcesses.ts'
import { orderRun } from '../support/engines/orderRun.ts'
import { useWorkers } from '../support/engines/useWorkers.ts'
import { runProgram } from '../support/runProgram.ts'
import { until } from '../support/until.ts'
import { useMarket } from '../support/useMarket.ts'

const market = useMarket()
const workers = useWorkers(market)

const startWorker = (buildId: string) => workers.start({ WORKER_BUILD_ID: buildId })
const release = (...args: string[]) =>
  runProgram('src/cli/release', args, { TEMPORAL_ADDRESS: workers.env.address, TEMPORAL_NAMESPACE: namespace() })
const namespace = () => workers.env.namespace ?? 'default'
const current = () => currentRelease(workers.env.connection.workflowService, namespace())

/** The release whose worker did the last task of an order's run. */
async function lastRelease(orderId: string): Promise<string | null | undefined> {
  const { events } = await (await orderRun(workers.env.client, orderId)).fetchHistory()
  const tasks = (events ?? []).flatMap(({ workflowTaskCompletedEventAttributes: done }) => (done ? [done] : []))
  return tasks.at(-1)?.deploymentVersion?.buildId
}

const parkedUnder = async (buildId: string): Promise<string> => {
  const orderId = await market.created()
  await until(async () => (await market.snapshot(orderId)).status === 'seller_review', 30)
  // The database knows an order as parked a moment before Temporal does.
  await until(async () => (await lastRelease(orderId)) !== undefined, 30)
  expect(await lastRelease(orderId)).toBe(buildId)
  return orderId
}
const approve = async (orderId: string): Promise<void> => {
  expect((await market.cable.post(`/me/orders/${orderId}/decide`, { decision: 'approve', actor: 'Ada' })).status).toBe(202)
  await (await orderRun(workers.env.client, orderId)).result()
}

describe('an upgrade from one release to the next, and back', () => {
  it('moves the runs of parked orders to the current release, whose workers alone are given tasks', async () => {
    const first = await startWorker('1.0.0')
    expect(await current()).toBe('1.0.0') // nobody had to make the first one current
    const parked = await Promise.all([parkedUnder('1.0.0'), parkedUnder('1.0.0'), parkedUnder('1.0.0')])

    const second = await startWorker('1.1.0')
    expect(await current()).toBe('1.0.0')
    const meanwhile = await parkedUnder('1.0.0')
    await approve(parked[0])
    expect(await lastRelease(parked[0])).toBe('1.0.0')

    expect(await release('1.1.0')).toMatchObject({ code: 0, out: '1.1.0\n' })
    await parkedUnder('1.1.0')
    await endProcess(first, 'SIGTERM')
    await Promise.all([approve(parked[1]), approve(meanwhile)])
    expect([await lastRelease(parked[1]), await lastRelease(meanwhile)]).toEqual(['1.1.0', '1.1.0'])

    const again = await startWorker('1.0.0')
    expect(await release('1.0.0')).toMatchObject({ code: 0, out: '1.0.0\n' })
    await parkedUnder('1.0.0')
    await endProcess(second, 'SIGTERM')
    await approve(parked[2])
    expect(await lastRelease(parked[2])).toBe('1.0.0')
    await endProcess(again, 'SIGTERM')
  }, 180_000)
})

describe('npm run release', () => {
  it('refuses a release of which there is no worker', async () => {
    const before = await current()
    const { code, err } = await release('9.9.9')
    expect([code, err]).toEqual([1, 'Temporal knows no worker of the release 9.9.9; start one with WORKER_BUILD_ID=9.9.9 first.\n'])
    await expect(makeCurrent(workers.env.connection.workflowService, 'default', '9.9.9')).rejects.toThrow('knows no worker')
    expect(await current()).toBe(before)
  })

  it('needs a Temporal of your own', async () => {
    const { code, err } = await runProgram('src/cli/release')
    expect([code, err]).toEqual([1, 'TEMPORAL_ADDRESS must be set: the workers of the embedded Temporal have no release.\n'])
  })
})
