import { readdirSync, readFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from '@jest/globals'
import { DefaultLogger, Runtime, Worker, type WorkflowBundle } from '@temporalio/worker'
import { workflowBundle } from '../../worker/workflowBundle.ts'

const HISTORIES = new URL('histories/', import.meta.url)
/** Recorded by the tests of the stories. */
const STORIES = ['stories/', 'otherStories/'].map((folder) => new URL(folder, import.meta.url))
const DROP_HISTORIES = new URL('dropHistories/', import.meta.url)
const MAIL_HISTORIES = new URL('mailHistories/', import.meta.url)
const RECONCILE_HISTORIES = new URL('reconcileHistories/', import.meta.url)
let bundle: WorkflowBundle

beforeAll(async () => {
  Runtime.install({ logger: new DefaultLogger('ERROR') })
  bundle = await workflowBundle()
}, 60_000)

const historyOf = (file: string, folder = HISTORIES) => JSON.parse(readFileSync(new URL(file, folder), 'utf8'))

describe('a run that began with an earlier workflow', () => {
  it.each(readdirSync(HISTORIES))('continues with the current workflow: %s', async (file) => {
    await Worker.runReplayHistory({ workflowBundle: bundle }, historyOf(file), `order:ord_${file.replace('.json', '')}`)
  })

  const stories = STORIES.flatMap((folder) => readdirSync(folder).map((file): [string, URL] => [file, folder]))
  it.each(stories)('continues in each kind of order and of other runs: %s', async (file, folder) => {
    const history = historyOf(file, folder)
    const { workflowId } = history.events[0].workflowExecutionStartedEventAttributes
    await Worker.runReplayHistory({ workflowBundle: bundle }, history, workflowId)
  })

  it.each(readdirSync(DROP_HISTORIES))('of a drop continues too: %s', async (file) => {
    const runId = `drop:station/${file.replace('.json', '')}`
    await Worker.runReplayHistory({ workflowBundle: bundle }, historyOf(file, DROP_HISTORIES), runId)
  })

  it.each(readdirSync(MAIL_HISTORIES))('of an agreement continues too: %s', async (file) => {
    await Worker.runReplayHistory({ workflowBundle: bundle }, historyOf(file, MAIL_HISTORIES), `mail:${file.replace('.json', '')}`)
  })

  it.each(readdirSync(RECONCILE_HISTORIES))('of a seller continues too: %s', async (file) => {
    const runId = `reconcile:${file.replace('.json', '')}`
    await Worker.runReplayHistory({ workflowBundle: bundle }, historyOf(file, RECONCILE_HISTORIES), runId)
  })

  it('is reported if it could not continue', async () => {
    const history = historyOf('startedAgainWhileParked.json')
    // The run of an endpoint begins with another activity than that of an order.
    history.events[0].workflowExecutionStartedEventAttributes.workflowType.name = 'deliverWorkflow'
    await expect(Worker.runReplayHistory({ workflowBundle: bundle }, history)).rejects.toThrow(/[Nn]ondeterminism/)
  })
})
