import { isTerminal, pause } from '../../../client/src/index.ts'
import { theEndpoint } from '../events/resend.ts'
import { RefusedFault, UsageFault } from '../exits.ts'
import { lineOfEvent, readLog } from '../orders/read.ts'
import { write, writeJson, writeTable } from '../output.ts'
import type { Session } from '../session.ts'
import { AS_BUYER } from './asBuyer.ts'
import { AS_SELLER } from './asSeller.ts'
import type { Outcome } from './outcome.ts'

/** The events of which a sandbox posts a whole example to an endpoint. */
const EXAMPLES = [
  'order.status_changed',
  'catalog.avails_answered',
  'catalog.integrity_failed',
  'catalog.window_opened',
  'settlement.invoice_issued',
  'webhook.test',
]

const LONGEST_WAIT_MS = 60_000
const LOOK_MS = 250

/** Makes an event or a status happen on the test inventory. Prints the events of the order that it took. */
export async function trigger(session: Session, options: TriggerOptions, what: string | undefined): Promise<void> {
  const client = await session.client()
  const outcomes = (await session.side()) === 'buyer' ? AS_BUYER : AS_SELLER
  if (options.list === true) return list(session, outcomes)
  const outcome = what === undefined || !Object.hasOwn(outcomes, what) ? undefined : outcomes[what]
  const isEvent = what !== undefined && (what.includes('.') || outcome === undefined) && what.includes('.')
  if (what === undefined || (outcome === undefined && !isEvent))
    throw new UsageFault(`Name what is to happen, one of ${Object.keys(outcomes).join(', ')}, or an event such as ${EXAMPLES.join(', ')}.`)
  if ((await client.credential()).mode !== 'sandbox')
    throw new RefusedFault('Nothing can be made to happen in production: this needs a sandbox.')
  if (outcome === undefined) return postExample(session, options, what)
  const order_id = await outcome.begin(client)
  await untilReached(session, order_id, outcome)
  const log = await readLog(session, order_id)
  if (session.json) return writeJson({ order_id, events: log })
  await write(`${order_id}\n${log.map((event) => `${lineOfEvent(event)}\n`).join('')}`)
}

async function list(session: Session, outcomes: Readonly<Record<string, Outcome>>): Promise<void> {
  const rows = [
    ...Object.entries(outcomes).map(([what, { about }]) => ({ what, about })),
    ...EXAMPLES.map((what) => ({ what, about: 'an example of it is posted to your webhook endpoint' })),
  ]
  if (session.json) return writeJson(rows)
  await writeTable(
    [
      { head: 'what', of: ({ what }) => what },
      { head: '', of: ({ about }) => about },
    ],
    rows,
  )
}

async function postExample(session: Session, { endpoint }: TriggerOptions, event_type: string): Promise<void> {
  const { operations } = await session.client()
  const endpoint_id = await theEndpoint(operations, endpoint)
  const { body } = await operations.testWebhookEndpoint({ path: { endpoint_id }, body: JSON.stringify({ event_type }) })
  return session.json ? writeJson(body) : write(`An example of ${event_type} goes to ${endpoint_id} as ${body.event_id}.\n`)
}

/** Waits for the status, and takes the steps that an order needs on its way there, each once. */
async function untilReached(session: Session, order_id: string, { status, substatus, step }: Outcome): Promise<void> {
  const client = await session.client()
  const read = (await session.side()) === 'buyer' ? client.operations.getOrder : client.operations.getReceivedOrder
  let acted: string | undefined
  for (const until = Date.now() + LONGEST_WAIT_MS; ; ) {
    const order = (await read({ path: { order_id } })).body
    if (order.status === status && (substatus === undefined || order.substatus === substatus)) return
    if (isTerminal(order)) throw new RefusedFault(`${order_id} is ${order.status} instead of ${status}.`)
    if (Date.now() > until)
      throw new RefusedFault(`${order_id} is ${order.status} after ${LONGEST_WAIT_MS / 1_000} s, and not ${status}: is a worker running?`)
    if (order.status !== acted && (await step?.(client, order)) === true) acted = order.status
    await pause(LOOK_MS, session.signal)
  }
}

export interface TriggerOptions {
  readonly endpoint?: string
  readonly list?: boolean
}
