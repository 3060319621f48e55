import { writeFile } from 'node:fs/promises'
import type { WorkflowHandle } from '@temporalio/client'
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js'

/** Writes the history of a run that has ended into a folder, for the replay test. */
export async function writeHistory(run: WorkflowHandle, folder: URL, name: string): Promise<void> {
  const history = await run.fetchHistory()
  await writeFile(new URL(`${name}.json`, folder), `${anonymous(historyToJSON(history))}\n`)
  process.stdout.write(`${name}: ${history.events?.length} events\n`)
}

/** A history as JSON without the name of the machine, which the queue of a worker's own carries too, and the paths on it. */
function anonymous(history: string): string {
  const hide = (key: string, value: unknown) => {
    if (key === 'identity') return 'recorder'
    if (key === 'stackTrace') return ''
    return key === 'name' && /^\d+@/.test(String(value)) ? 'recorder' : value
  }
  return JSON.stringify(JSON.parse(history, hide), null, 1)
}
