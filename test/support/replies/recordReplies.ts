import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { EXAMPLE_YEAR, moveDates } from '../../../src/local/demo/moveDates.ts'
import { shortened } from '../../../tools/docs/openapiExamples.ts'
import type { TestApp } from '../http/app.ts'
import { stabilizer } from './stable.ts'
import { BUYSHEET, WALK_YEAR, walkOperations } from './walkOperations.ts'

/** The bodies of replies by operation and success status, except empty ones, and under `events` one event of each type. */
export type Recording = Record<string, Record<string, object>>

/** Records the replies of a service over an empty database. */
export async function recordReplies(app: TestApp): Promise<Recording> {
  const start = Date.now()
  const { replies, events } = await walkOperations(app)
  const sheet = createHash('sha256')
    .update(await readFile(BUYSHEET))
    .digest('hex')
  const inExamples = (value: unknown) => JSON.parse(withNumbers(moveDates(JSON.stringify(value), EXAMPLE_YEAR, WALK_YEAR)))
  const stabilize = stabilizer(start, [sheet])
  const stable = (value: unknown) => stabilize(inExamples(value))
  const recording: Recording = {}
  for (const [operation, byStatus] of replies) {
    for (const [status, body] of byStatus) {
      if (body === undefined) continue
      recording[operation] = { ...recording[operation], [status]: stable(shortened(body as object)) as object }
    }
  }
  return { ...recording, events: stable(events) as Recording[string] }
}

/** The numbers of invoices begin with the two digits of a year. */
function withNumbers(text: string): string {
  return text.replaceAll(`"invoice_number":"${WALK_YEAR % 100}`, `"invoice_number":"${EXAMPLE_YEAR % 100}`)
}
