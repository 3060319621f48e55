import { mkdirSync } from 'node:fs'
import { afterEach } from '@jest/globals'
import type { WorkflowHandle } from '@temporalio/client'
import type { TestWorkflowEnvironment } from '@temporalio/testing'
import { startedRun } from '../support/engines/orderRun.ts'
import { storyOf } from './storyOf.ts'
import { writeHistory } from './writeHistory.ts'

/** Its looks, and what makes a run look: how many there are depends on how busy the machine is. */
const LOOKS = /^(signal wake|step look|timer shows the progress)/

/** Keeps the history of the run that each test tells of: `RECORD=1` writes it into a folder, for the replay test. */
export function recordsStories(folder: URL): (run: WorkflowHandle, name: string) => void {
  let told: { run: WorkflowHandle; name: string } | undefined
  afterEach(async () => {
    if (told === undefined || process.env.RECORD === undefined) return
    mkdirSync(folder, { recursive: true })
    await writeHistory(told.run, folder, told.name)
    told = undefined
  })
  return (run, name) => {
    told = { run, name }
  }
}

/** The story of a run so far. */
export async function storyNow(run: WorkflowHandle): Promise<string[]> {
  return storyOf((await run.fetchHistory()).events ?? [])
}

/** The stories of runs that are no order's, without their looks. */
export function useStories(use: { readonly env: TestWorkflowEnvironment }, folder: URL) {
  const record = recordsStories(folder)
  /** The story of a run that ends. */
  const storyTo = async (workflowId: string, name: string): Promise<string[]> => {
    const run = await startedRun(use.env.client, workflowId, 60)
    await run.result()
    record(run, name)
    return (await storyNow(run)).filter((line) => !LOOKS.test(line))
  }
  return { storyTo }
}
