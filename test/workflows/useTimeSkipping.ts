import { afterAll, beforeAll } from '@jest/globals'
import type { WorkflowHandle } from '@temporalio/client'
import type { TestWorkflowEnvironment } from '@temporalio/testing'
import { DefaultLogger, Runtime, Worker, type WorkerOptions } from '@temporalio/worker'
import { registerSearchAttributes } from '../../worker/searchAttributes.ts'
import { workflowBundle } from '../../worker/workflowBundle.ts'
import { QUEUES } from '../../workflows/messages.ts'
import { timeSkippingServer } from '../support/engines/temporal.ts'

type WorkflowBundle = Awaited<ReturnType<typeof workflowBundle>>
type Activities = NonNullable<WorkerOptions['activities']>

/** Runs the product's workflows on a time-skipping server, with the activities of `queue` and, if given, those of the queue of the workflows. */
export function useTimeSkipping(
  queue: string,
  activities: Activities,
  ofWorkflows: Activities = {},
): { readonly env: TestWorkflowEnvironment } {
  const use = {} as { env: TestWorkflowEnvironment }
  let workers: Worker[] = []
  let running: Promise<unknown> | undefined
  beforeAll(async () => {
    Runtime.install({ logger: new DefaultLogger('ERROR') })
    use.env = await timeSkippingServer()
    const { nativeConnection: connection } = use.env
    await registerSearchAttributes(connection, 'default')
    workers = await Promise.all([
      Worker.create({ connection, taskQueue: QUEUES.orders, workflowBundle: await workflowBundle(), activities: ofWorkflows }),
      Worker.create({ connection, taskQueue: queue, activities }),
    ])
    running = Promise.all(workers.map((worker) => worker.run()))
  }, 60_000)
  afterAll(async () => {
    for (const worker of workers) worker.shutdown()
    await running
    await use.env.teardown()
  })
  return use
}

/** A time-skipping server for tests that run a workflow to its end, each with activities of its own. */
export function useTimeSkippingRuns() {
  const use = {} as { env: TestWorkflowEnvironment }
  let bundle: WorkflowBundle
  beforeAll(async () => {
    Runtime.install({ logger: new DefaultLogger('ERROR') })
    use.env = await timeSkippingServer()
    bundle = await workflowBundle()
  }, 60_000)
  afterAll(() => use.env.teardown())

  /** Runs a workflow to its end with the activities of each queue, and returns its result. */
  const runToEnd = async (
    workflow: string,
    workflowId: string,
    args: readonly unknown[],
    activities: Readonly<Record<string, Activities>>,
  ) => {
    const { client, nativeConnection: connection } = use.env
    const { [QUEUES.orders]: ofWorkflows = {}, ...others } = activities
    const workers = await Promise.all([
      Worker.create({ connection, taskQueue: QUEUES.orders, workflowBundle: bundle, activities: ofWorkflows }),
      ...Object.entries(others).map(([taskQueue, own]) => Worker.create({ connection, taskQueue, activities: own })),
    ])
    const ended = client.workflow.execute(workflow, { workflowId, taskQueue: QUEUES.orders, args: [...args] })
    return workers.reduce<Promise<unknown>>((running, worker) => worker.runUntil(running), ended)
  }
  return { use, runToEnd }
}

/** Serves every queue that has activities, and the workflows with those of the orders. Resolves with what stops it. */
export async function serveQueues(
  { nativeConnection: connection, namespace = 'default' }: TestWorkflowEnvironment,
  steps: Readonly<Record<string, Activities>>,
): Promise<() => Promise<unknown>> {
  const bundle = await workflowBundle()
  const workers = await Promise.all(
    Object.entries(steps).map(([taskQueue, activities]) =>
      Worker.create({ connection, namespace, taskQueue, activities, ...(taskQueue === QUEUES.orders && { workflowBundle: bundle }) }),
    ),
  )
  const running = Promise.all(workers.map((worker) => worker.run()))
  return () => {
    for (const worker of workers) worker.shutdown()
    return running
  }
}

/** What a run shows in the Temporal UI as its current details. */
export async function currentDetails(run: WorkflowHandle): Promise<string> {
  return (await run.query<{ currentDetails: string }>('__temporal_workflow_metadata')).currentDetails
}
