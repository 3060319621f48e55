import { randomUUID } from 'node:crypto'
import { defineSearchAttributeKey, type SearchAttributeType } from '@temporalio/common'
import { TestWorkflowEnvironment } from '@temporalio/testing'
import { SEARCH_ATTRIBUTES } from '../../../src/contract/vocabulary/searchAttributes.ts'
import { findTemporal, findTestServer } from '../../../src/local/embedded/temporalBinary.ts'
import { registerSearchAttributes } from '../../../worker/searchAttributes.ts'
import { sharedTemporal } from './sharedTemporal.ts'

/**
 * Provides a new namespace with the search attributes of our runs, on the server of this worker of jest. Processes that the file starts
 * find it by the environment. One per test file; call `teardown()` in afterAll. `longHistory`: the number of events at which a history
 * is long, so that its run is asked to start again, on a server of its own; by default thousands.
 */
export async function devServer({ longHistory }: { longHistory?: number } = {}): Promise<TestWorkflowEnvironment> {
  const folder = process.env.TEST_RUN_DIR
  if (longHistory !== undefined || folder === undefined) return ownServer(longHistory)
  const namespace = `file-${randomUUID()}`
  const env = await TestWorkflowEnvironment.createFromExistingServer({ address: await sharedTemporal(folder), namespace })
  await env.connection.workflowService.registerNamespace({ namespace, workflowExecutionRetentionPeriod: { seconds: DAY } } as never)
  await registerSearchAttributes(env.nativeConnection, namespace)
  process.env.TEMPORAL_NAMESPACE = namespace
  return env
}

const DAY = 86_400

async function ownServer(longHistory: number | undefined): Promise<TestWorkflowEnvironment> {
  const { path } = await findTemporal({ onProgress: tell })
  const searchAttributes = Object.entries(SEARCH_ATTRIBUTES).map(([name, type]) => defineSearchAttributeKey(name, WIRE_NAME[type]))
  const extraArgs = longHistory === undefined ? [] : ['--dynamic-config-value', `limit.historyCount.suggestContinueAsNew=${longHistory}`]
  return retried(() =>
    TestWorkflowEnvironment.createLocal({ server: { executable: { type: 'existing-path', path }, searchAttributes, extraArgs } }),
  )
}

/** Starts the server that skips waiting, so that a day passes in milliseconds. It has no list, no schedules and no search attributes. */
export async function timeSkippingServer(): Promise<TestWorkflowEnvironment> {
  const { path } = await findTestServer({ onProgress: tell })
  return retried(() => TestWorkflowEnvironment.createTimeSkipping({ server: { executable: { type: 'existing-path', path } } }))
}

const WIRE_NAME = { Keyword: 'KEYWORD', Datetime: 'DATETIME', Bool: 'BOOL' } as const satisfies Record<string, SearchAttributeType>

function tell(text: string): void {
  process.stderr.write(`${text}\n`)
}

/** Retries, since the SDK gives a server only five seconds to start, which may be too short during a full test run. */
async function retried<T>(start: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await start()
    } catch (error) {
      if (attempt === 3) throw error
    }
  }
}
