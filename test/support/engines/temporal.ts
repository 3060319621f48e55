import { defineSearchAttributeKey, type SearchAttributeType } from '@temporalio/common'
import { TestWorkflowEnvironment } from '@temporalio/testing'
import { SEARCH_ATTRIBUTES } from '../../../src/contract/vocabulary/searchAttributes.ts'
import { findTemporal, findTestServer } from '../../../src/embedded/temporalBinary.ts'

/**
 * Starts an in-memory server with the search attributes of orders. One per test file; call `teardown()` in afterAll. `longHistory`: the
 * number of events at which a history is long, so that its run is asked to start again; by default thousands.
 */
export async function devServer({ longHistory }: { longHistory?: number } = {}): Promise<TestWorkflowEnvironment> {
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
