import type { ComposedMail } from '../adapters/composeMail.ts'
import type { EdiDocument } from '../contract/vocabulary/edi.ts'
import { acceptedLines } from '../domain/edi/blocks.ts'
import type { EdiMessage } from '../domain/edi/buildScx.ts'
import { describeOrder } from '../domain/edi/describeOrder.ts'
import type { DocumentSource } from '../domain/edi/renderedDocument.ts'
import { type Settled, settleDocument } from '../domain/edi/settleDocument.ts'
import type { OrderState } from '../domain/order/state.ts'
import { findProductsFor } from '../store/catalog/catalog.ts'
import { type DocumentFacts, readDocumentFacts } from '../store/edi/documentFacts.ts'
import {
  freezeContent,
  type MailContent,
  readDocumentContent,
  readLastSource,
  readThread,
  type SentDocument,
  type ThreadMail,
} from '../store/edi/mailContents.ts'
import { type ClaimedMail, endUnsent } from '../store/edi/mailQueue.ts'
import { composeOrderMail } from './composeOrderMail.ts'
import type { MailDeps } from './mailDeps.ts'
import type { InvalidRendering } from './renderer.ts'

/**
 * Settles what a mail is and what it contains, and counts its first attempt. Undefined when the mail has ended without one, or another process has
 * it by now.
 */
export async function freezeMail(deps: MailDeps, mail: ClaimedMail): Promise<ComposedMail | undefined> {
  const { db, logger } = deps
  const { message_id } = mail
  const content = await makeContent(deps, mail)
  const made = 'document' in content ? await composeOrderMail(deps, mail, content) : content
  if ('document' in content && 'raw' in made) return (await freezeContent(db, message_id, content)) ? made : undefined
  if ('ended' in made) await endUnsent(db, message_id, made.ended, made.status_reason)
  if ('invalid' in made) {
    logger.error('an order document fails its own check and is not sent', { message_id, ...made })
    await endUnsent(db, message_id, 'failed', `invalid_document:${made.invalid}`)
  }
  return undefined
}

type Ended = { readonly ended: 'failed' | 'skipped'; readonly status_reason: string }

async function makeContent(deps: MailDeps, mail: ClaimedMail): Promise<MailContent | Ended | InvalidRendering> {
  const { db, log, identity } = deps
  const [thread, repeated, order] = await Promise.all([
    readThread(db, mail),
    mail.resend_of === null ? undefined : readDocumentContent(db, mail),
    log.load(mail.order_id, mail.seq),
  ])
  const document = repeated?.document ?? settle(mail, thread)
  if ('skipped' in document) return { ended: 'skipped', status_reason: document.skipped }

  if (order === undefined) throw new Error(`There is no order ${mail.order_id}.`)
  const { seller } = order.request
  const { buyer_entity } = order.facts
  const supersedes = 'supersedes' in document ? document.supersedes : null
  const facts = await readDocumentFacts(db, { seller, buyer_entity, agreement_id: mail.agreement_id, supersedes })
  if (facts.edi === null) return { ended: 'failed', status_reason: 'no_address' }

  const domain = identity.from.slice(identity.from.indexOf('@') + 1)
  const envelope = {
    document,
    to_address: facts.edi.to,
    sender: identity.from,
    message_ref: `${mail.message_id}@${domain}`,
    refs: thread.slice(-REFERENCES).map(({ message_ref }) => message_ref),
  }
  if (repeated !== undefined) return { ...repeated, ...envelope }
  const source = await readSource(deps, order, mail, document, facts)
  const rendered = await deps.renderer.render(source)
  if ('invalid' in rendered) return rendered
  return { ...rendered, ...envelope, terms: source.terms, descriptors: source.descriptors }
}

/** A client shows a thread by its newest references; headers must not grow with the resends of a year. */
const REFERENCES = 20

/** What was asked for is sent, whatever went before it. A document that is repeated tells the agency nothing new of its order. */
function settle(mail: ClaimedMail, thread: readonly ThreadMail[]): Settled {
  if (mail.resend_of !== null && mail.document === 'cancelled') return { document: 'cancelled' }
  return settleDocument(
    mail,
    thread.filter(({ is_repeat }) => !is_repeat),
  )
}

/** Names and terms are those of the order's earlier document, where there is one: a cancel shows what was sent. */
async function readSource(
  { db }: MailDeps,
  order: OrderState,
  { order_id, agreement_id, document_id }: ClaimedMail,
  document: SentDocument,
  facts: DocumentFacts,
): Promise<DocumentSource> {
  const message: EdiMessage = {
    event: EVENTS[document.document],
    document_id,
    occurred_at: order.since,
    ...('supersedes' in document ? { supersedes: { order_id: document.supersedes, external_order_id: facts.superseded ?? '' } } : {}),
  }
  const earlier = await readLastSource(db, order_id)
  if (earlier !== undefined) return { order, message, ...earlier }
  const { seller } = order.request
  const ids = new Set(acceptedLines(order).map(({ product_id }) => product_id))
  const products = await findProductsFor(db, seller, order.facts.buyer_entity, ids)
  const { to: _, ...terms } = facts.edi ?? { to: '' }
  return { order, message, terms: { agreement_id, ...terms }, descriptors: describeOrder(order, facts, products) }
}

const EVENTS: Record<EdiDocument, EdiMessage['event']> = { confirmed: 'placed', revised: 'revised', cancelled: 'canceled' }
