import type { EdiDocument } from '../../contract/vocabulary/edi.ts'
import { acceptedLines } from '../../domain/edi/blocks.ts'
import type { EdiMessage } from '../../domain/edi/buildScx.ts'
import { closeDocument, type Settled } from '../../domain/edi/closeDocument.ts'
import { describeOrder } from '../../domain/edi/describeOrder.ts'
import type { DocumentSource } from '../../domain/edi/renderedDocument.ts'
import type { OrderState } from '../../domain/order/state.ts'
import { findProductsFor } from '../../store/catalog/catalog.ts'
import { type MailContent, type MailEnvelope, readContents } from '../../store/edi/mailContents.ts'
import type { ClaimedMail } from '../../store/edi/mailQueue.ts'
import { type MailSource, readMailSources, type ThreadMail } from '../../store/edi/mailSources.ts'
import type { MailDeps } from './mailDeps.ts'

/** The plan for a mail: it ends unsent, its document exists already, or its document is to be rendered. */
export type ContentPlan =
  | { readonly ended: 'failed' | 'skipped'; readonly status_reason: string }
  | { readonly content: MailContent }
  | { readonly envelope: MailEnvelope; readonly source: DocumentSource }

type Rendered = Extract<ContentPlan, { source: unknown }>

/** Decides the content and the document sources of claimed mails of one agreement, with a few reads for all of them. */
export async function planContents(deps: MailDeps, mails: readonly ClaimedMail[]): Promise<Map<string, ContentPlan>> {
  const { db } = deps
  const fresh = mails.filter(({ is_frozen }) => !is_frozen)
  const [contents, sources] = await Promise.all([
    readContents(
      db,
      mails.filter(({ is_frozen, resend_of }) => is_frozen || resend_of !== null).map(({ message_id }) => message_id),
    ),
    readMailSources(
      db,
      fresh.map(({ message_id }) => message_id),
    ),
  ])
  const plans = new Map<string, ContentPlan>()
  const toRender: Settling[] = []
  for (const mail of mails) {
    const content = contents.get(mail.message_id)
    const source = sources.get(mail.message_id)
    const resolved = source === undefined ? undefined : resolve(deps, mail, source, content)
    if (resolved === undefined) {
      if (content === undefined) throw new Error(`The mail ${mail.message_id} is frozen and has no content.`)
      plans.set(mail.message_id, { content })
    } else if ('ended' in resolved) plans.set(mail.message_id, resolved)
    else if (content !== undefined) plans.set(mail.message_id, { content: { ...content, ...resolved } })
    else toRender.push({ mail, source: source as MailSource, envelope: resolved })
  }
  for (const [message_id, plan] of await readDocumentSources(deps, toRender)) plans.set(message_id, plan)
  return plans
}

interface Settling {
  readonly mail: ClaimedMail
  readonly source: MailSource
  readonly envelope: MailEnvelope
}

function resolve(
  { identity }: Pick<MailDeps, 'identity'>,
  mail: ClaimedMail,
  { thread, edi }: MailSource,
  repeated: MailContent | undefined,
): MailEnvelope | Extract<ContentPlan, { ended: unknown }> {
  const document = repeated?.document ?? kindOf(mail, thread)
  if ('skipped' in document) return { ended: 'skipped', status_reason: document.skipped }
  if (edi === null) return { ended: 'failed', status_reason: 'no_address' }
  const domain = identity.from.slice(identity.from.indexOf('@') + 1)
  return {
    document,
    to_address: edi.to,
    sender: identity.from,
    message_ref: `${mail.message_id}@${domain}`,
    refs: thread.slice(-REFERENCES).map(({ message_ref }) => message_ref),
  }
}

/** The most references of a mail. A client finds the thread by the newest ones, and headers must not grow with the resends of a year. */
const REFERENCES = 20

/** Returns the document of a mail. A requested resend is always sent. Ignores repeats, since they told the agency nothing new. */
function kindOf(mail: ClaimedMail, thread: readonly ThreadMail[]): Settled {
  if (mail.resend_of !== null && mail.document === 'cancelled') return { document: 'cancelled' }
  return closeDocument(
    mail,
    thread.filter(({ is_repeat }) => !is_repeat),
  )
}

/** Reads the sources of documents. Uses names and terms of the order's earlier document, if any, so that a cancel shows what was sent. */
async function readDocumentSources({ db, log }: MailDeps, settling: readonly Settling[]): Promise<[string, Rendered][]> {
  const [first] = settling
  if (first === undefined) return []
  const orders = await Promise.all(settling.map(({ mail }) => loadOrder(log, mail)))
  const described = orders.filter((_, index) => settling[index]?.source.descriptors === null)
  const named = new Set(described.flatMap((order) => acceptedLines(order).map(({ product_id }) => product_id)))
  const { seller, buyer_entity } = first.mail
  const products = new Map((await findProductsFor(db, seller, buyer_entity, named)).map((product) => [product.product_id, product]))
  return settling.map(({ mail, source, envelope }, index) => {
    const order = orders[index] as OrderState
    const { agency, seller, terms, descriptors, edi, thread, makegood } = source
    const { to: _, makegoods: __, ...agreed } = edi ?? { to: '' }
    const booked = new Set(acceptedLines(order).map(({ product_id }) => product_id))
    const documentSource = {
      order,
      ...(makegood === null ? {} : { makegood }),
      message: messageOf(mail, envelope, order, thread),
      terms: terms ?? { agreement_id: mail.agreement_id, ...agreed },
      descriptors:
        descriptors ??
        describeOrder(
          order,
          { agency, seller },
          [...booked].flatMap((id) => products.get(id) ?? []),
        ),
    }
    return [mail.message_id, { envelope, source: documentSource }]
  })
}

async function loadOrder(log: MailDeps['log'], { order_id, seq }: ClaimedMail): Promise<OrderState> {
  const order = await log.load(order_id, seq)
  if (order === undefined) throw new Error(`There is no order ${order_id}.`)
  return order
}

function messageOf(
  { document_id }: ClaimedMail,
  { document }: MailEnvelope,
  { since }: OrderState,
  thread: readonly ThreadMail[],
): EdiMessage {
  const message = { event: EVENTS[document.document], document_id, occurred_at: since }
  if (!('supersedes' in document)) return message
  const superseded = thread.find(({ order_id }) => order_id === document.supersedes)
  return { ...message, supersedes: { order_id: document.supersedes, external_order_id: superseded?.external_order_id ?? '' } }
}

/** A makegood is one of an order that was placed. */
const EVENTS: Record<EdiDocument, EdiMessage['event']> = {
  confirmed: 'placed',
  revised: 'revised',
  cancelled: 'canceled',
  makegood: 'placed',
}
