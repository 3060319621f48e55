import { randomBytes, randomUUID } from 'node:crypto'
import { type Signed, signatureHeaders } from '../adapters/http/requestSignature.ts'
import { ATTEMPT_TIMES } from '../domain/webhooks/attempts.ts'
import type { Suite } from './runSuite.ts'
import { type Holds, NotHeld, type Story } from './story.ts'

/** A receiver of webhooks, and the secret of its endpoint. */
interface Receiver {
  readonly url: string
  readonly secret: string
}

const DELIVERY = 'docs/contract/events.md#delivery'
const DUTIES = 'docs/buy/receiving-webhooks.md#your-duties-in-order'

/** Holds a receiver of webhooks to its duties: it is sent what the marketplace sends, and what somebody else might. */
export function webhookSuite(receiver: Receiver): Suite<Receiver> {
  return { name: 'webhook', target: receiver.url, stories: STORIES, world: receiver }
}

const STORIES: readonly Story<Receiver>[] = [
  {
    id: 'webhook.accepts',
    title: 'A delivery that is signed with the secret is acknowledged with 2xx, fast.',
    link: DELIVERY,
    run: async (receiver, holds) => {
      await accepted(holds, 'a status change is acknowledged within five seconds', receiver, anEvent())
      await accepted(holds, 'a ping is acknowledged', receiver, { event_type: 'webhook.test', event_id: `evt_${randomUUID()}`, data: {} })
      await accepted(holds, 'text beyond ASCII is verified by its bytes', receiver, { ...anEvent(), note: 'Zoë · 東京' })
    },
  },
  {
    id: 'webhook.repeats',
    title: 'A receiver dedups on (order_id, seq), and answers a repeat so that retries stop.',
    link: DUTIES,
    run: async (receiver, holds) => {
      const event = anEvent()
      await accepted(holds, 'the first delivery is acknowledged', receiver, event)
      await accepted(holds, 'the same delivery again is acknowledged alike', receiver, event)
      await accepted(holds, 'an earlier event of the order, after a later one, is acknowledged', receiver, { ...event, seq: event.seq - 1 })
    },
  },
  {
    id: 'webhook.unknown',
    title: 'Clients ignore unknown fields and pass through unknown values: a newer event is acknowledged.',
    link: 'docs/contract/limits-and-versions.md#versioning',
    run: async (receiver, holds) => {
      await accepted(holds, 'an unknown event type is acknowledged', receiver, { ...anEvent(), event_type: 'order.of_a_later_version' })
      await accepted(holds, 'an unknown status is acknowledged', receiver, {
        ...anEvent(),
        status: 'of_a_later_version',
        more: { at: [1] },
      })
    },
  },
  {
    id: 'webhook.rotates',
    title: 'While secrets rotate there is a signature of each; one that matches is enough.',
    link: DUTIES,
    run: (receiver, holds) =>
      accepted(holds, 'a delivery with the signatures of two secrets is acknowledged', receiver, anEvent(), {
        secrets: [aSecret(), receiver.secret],
      }),
  },
  {
    id: 'webhook.refuses',
    title: 'The receiver must verify the signature and reject what it does not prove.',
    link: DELIVERY,
    run: async (receiver, holds) => {
      await refused(holds, 'a wrong signature', receiver, { secrets: [aSecret()] })
      await refused(holds, 'no signature', receiver, {}, (headers) => ({ 'webhook-id': headers['webhook-id'] ?? '' }))
      await refused(holds, 'a truncated signature', receiver, {}, truncated)
      await refused(holds, 'a body that was changed after it was signed', receiver, {}, undefined, (body) =>
        body.replace('placed', 'failed'),
      )
    },
  },
  {
    id: 'webhook.stale',
    title: 'The receiver must reject stale timestamps.',
    link: DELIVERY,
    run: async (receiver, holds) => {
      const now = Math.floor(Date.now() / 1_000)
      await refused(holds, 'a signature that is an hour old', receiver, { timestamp: now - 3_600 })
      await refused(holds, 'a signature from an hour ahead', receiver, { timestamp: now + 3_600 })
    },
  },
]

function anEvent() {
  const order_id = `ord_conform${randomUUID().replaceAll('-', '')}`
  const change = { status: 'placed', prior_status: 'seller_review', substatus: null }
  const occurred_at = new Date().toISOString()
  return { event_type: 'order.status_changed', order_id, external_order_id: 'conformance', seq: 4, ...change, occurred_at }
}

async function accepted(holds: Holds, sentence: string, receiver: Receiver, event: object, more: Partial<Signed> = {}): Promise<void> {
  await holds(sentence, async () => {
    const answer = await delivered(receiver, JSON.stringify(event), signed(receiver, event, more))
    if (answer >= 200 && answer < 300) return
    const redirected = answer >= 300 && answer < 400 ? 'answer directly: redirects are not followed' : undefined
    throw new NotHeld(`it answered ${answer}`, redirected ?? 'verify "t.body" over the raw bytes, then answer 2xx before you work on it')
  })
}

async function refused(
  holds: Holds,
  what: string,
  receiver: Receiver,
  more: Partial<Signed>,
  headersOf = (headers: Record<string, string>) => headers,
  bodyOf = (body: string) => body,
): Promise<void> {
  await holds(`${what} is refused`, async () => {
    const event = anEvent()
    const answer = await delivered(receiver, bodyOf(JSON.stringify(event)), headersOf(signed(receiver, event, more)))
    if (answer >= 400 && answer < 500) return
    throw new NotHeld(`it answered ${answer} to ${what}`, 'answer 400 to what the signature does not prove, and do nothing else')
  })
}

function signed({ secret }: Receiver, event: object, more: Partial<Signed>): Record<string, string> {
  const { order_id, seq, event_id } = event as { order_id?: string; seq?: number; event_id?: string }
  const id = event_id ?? `${order_id}:${seq}`
  return signatureHeaders({ id, body: JSON.stringify(event), timestamp: Math.floor(Date.now() / 1_000), secrets: [secret], ...more })
}

function truncated(headers: Record<string, string>): Record<string, string> {
  const cut = (name: string) => (headers[name] ?? '').slice(0, -8)
  return { ...headers, 'x-signature': cut('x-signature'), 'webhook-signature': cut('webhook-signature') }
}

/** Posts as the marketplace does, and returns the status. Fails with NotHeld if none comes in time. */
async function delivered({ url }: Receiver, body: string, headers: Record<string, string>): Promise<number> {
  try {
    const init = { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers }, redirect: 'manual' as const }
    const answer = await fetch(url, { ...init, signal: AbortSignal.timeout(ATTEMPT_TIMES.attemptMs) })
    await answer.body?.cancel()
    return answer.status
  } catch (error) {
    if (error instanceof Error && error.name === 'TimeoutError')
      throw new NotHeld('it did not answer within 5 s', 'answer first, and work on the event afterwards')
    throw new NotHeld('it did not answer', 'start the receiver: the connection was refused, or broke')
  }
}

function aSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`
}
