import type { components } from '../../../client/src/index.ts'
import { readJsonFile } from '../files.ts'
import { sentFrom } from '../locatedFaults.ts'
import { amount } from '../money.ts'
import { say, writeFields, writeJson } from '../output.ts'
import type { Session } from '../session.ts'
import { warningText } from '../warningText.ts'
import { lines } from './read.ts'

export async function createOrder(session: Session, { file, dryRun, wait }: CreateOptions): Promise<void> {
  const client = await session.client()
  const { text } = await readJsonFile(file)
  if (dryRun === true) {
    const { body } = await sentFrom(file, text, () => client.operations.previewOrder({ body: text }))
    return session.json ? writeJson(body) : showPreview(body)
  }
  const { body: created, replayed } = await sentFrom(file, text, () => client.operations.createOrder({ body: text }))
  if (wait !== true) {
    if (session.json) return writeJson(created)
  } else {
    say(`${created.order_id} ${created.status}; waiting for a party …`)
    const order = await client.untilParked(created.order_id, { signal: session.signal })
    if (session.json) return writeJson(order)
    return writeFields([
      ['order', order.order_id],
      ['status', order.status],
      ['waiting on', order.waiting_on?.party],
    ])
  }
  await writeFields([
    ['order', created.order_id],
    ['status', created.status],
    ['', replayed ? 'The same order was sent before: this is the first reply.' : undefined],
    ...warningsOf(created.warnings),
  ])
}

type Warnings = components['schemas']['OrderCreated']['warnings']

function warningsOf(warnings: Warnings): [string, string][] {
  return (warnings ?? []).map((warning) => ['warning', warningText(warning)])
}

async function showPreview({ totals, line_items, warnings }: components['schemas']['OrderPreview']): Promise<void> {
  await lines(line_items)
  await writeFields([['gross', `${amount(totals.gross)} ${totals.currency}`], ...warningsOf(warnings)])
  say('Nothing was placed.')
}

export interface CreateOptions {
  readonly file: string
  readonly dryRun?: boolean
  readonly wait?: boolean
}
