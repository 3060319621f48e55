import { randomUUID } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { Client } from '@temporalio/client'
import { bundleWorkflowCode, DefaultLogger, type InjectedSinks, NativeConnection, Runtime, Worker } from '@temporalio/worker'
import { WORKFLOW_LIMITS } from '../../worker/workflowLimits.ts'
import type { Progress } from './bareWorkflow.ts'

const TASK_QUEUE = 'bare'

/** Runs bare workflows on the product's engine with the product's worker settings, and times them; asked by `{whole, atOnce}` or `{first}`. */
async function main(): Promise<void> {
  Runtime.install({ logger: new DefaultLogger('ERROR'), shutdownSignals: [] })
  const connection = await NativeConnection.connect({ address: process.env.TEMPORAL_ADDRESS ?? '' })
  const client = new Client({ connection })
  const begun = new Map<string, () => void>()
  const done = new Map<string, () => void>()
  const hear = (who: Map<string, () => void>) => ({ fn: (_info: unknown, id: string) => who.get(id)?.(), callDuringReplay: false })
  const sinks: InjectedSinks<Progress> = { progress: { begun: hear(begun), done: hear(done) } }
  const worker = await Worker.create({
    connection,
    taskQueue: TASK_QUEUE,
    workflowBundle: await bundleWorkflowCode({
      workflowsPath: fileURLToPath(new URL('./bareWorkflow.ts', import.meta.url)),
      logger: new DefaultLogger('ERROR'),
    }),
    sinks,
    ...WORKFLOW_LIMITS,
  })
  const working = worker.run()
  const start = (workflowId: string) =>
    client.workflow.start('bareWorkflow', { workflowId, taskQueue: TASK_QUEUE, args: [], requestEagerStart: true })
  const heard = (who: Map<string, () => void>, id: string) => new Promise<void>((resolve) => who.set(id, resolve))

  const whole = async (): Promise<void> => {
    const id = randomUUID()
    const closed = heard(done, id)
    await (await start(id)).signal('wake')
    await closed
    done.delete(id)
  }
  const first = async (): Promise<number> => {
    const id = randomUUID()
    const reached = heard(begun, id)
    const began = performance.now()
    const [handle] = await Promise.all([start(id), reached])
    const took = performance.now() - began
    begun.delete(id)
    await handle.signal('wake')
    return took
  }

  process.on('message', (ask: { whole: number; atOnce: number } | { first: number }) => {
    void ('whole' in ask ? timeWhole(ask, whole) : timeFirst(ask.first, first)).then((answer) => process.send?.(answer))
  })
  process.on('SIGTERM', () => worker.shutdown())
  process.send?.({ ready: true })
  await working
  process.exit(0)
}

async function timeWhole(
  { whole: count, atOnce }: { whole: number; atOnce: number },
  one: () => Promise<void>,
): Promise<{ perSecond: number }> {
  let left = count
  const began = performance.now()
  const work = async () => {
    while (left > 0) {
      left -= 1
      await one()
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return { perSecond: (count / (performance.now() - began)) * 1_000 }
}

async function timeFirst(count: number, one: () => Promise<number>): Promise<{ times: number[] }> {
  const times: number[] = []
  for (let index = 0; index < count; index += 1) times.push(await one())
  return { times }
}

main().catch((error: Error) => {
  process.stderr.write(`${error.stack}\n`)
  process.exit(1)
})
