import type { EdiDocumentQuery, EdiListQuery, EdiMail, EdiMailList, ResendEdi } from '../../../src/contract/edi.ts'
import { EDI_RESENDS_PER_DAY, type EdiWarningCode } from '../../../src/contract/vocabulary/edi.ts'
import { addressAbsence, checkResend, lacksCancel, stillQueued } from '../../../src/domain/edi/checkResend.ts'
import { overLimit } from '../../../src/domain/overLimit.ts'
import { Refusal } from '../../../src/domain/refusal.ts'
import {
  listMails,
  type MailDocument,
  readLatestMail,
  readMail,
  readMailDocument,
  readMailedOrder,
  type StoredMail,
} from '../../../src/store/edi/mails.ts'
import { findResend, queueResend } from '../../../src/store/edi/queueResend.ts'
import type { Handler } from '../../http/handler.ts'
import { type Page, pageOf, positionOf } from '../../http/page.ts'
import { accepted, ok } from '../../http/reply.ts'
import { repeatedReply, requestKey } from '../../http/requestKey.ts'
import { noSuchOrder, ownOrder } from './ownOrder.ts'

/** The mails of an order, for both sides: the list of mails sent to the agency's billing system, their documents, and resends. */

/** GET …/edi. */
export const getMails: Handler<undefined, EdiListQuery> = async (deps, { caller, params, query }) => {
  const orderId = await ownOrder(deps, caller, params)
  const page: Page = { bound: ['edi', caller.entity, orderId], ...query }
  const [before] = positionOf(deps, page) ?? []
  const order = await readMailedOrder(deps.db, orderId)
  const mails = await deps.pages.inTurn(caller.entity, () => listMails(deps.db, orderId, { before, limit: page.limit + 1 }))
  const { items, next_cursor } = pageOf(deps, page, mails, ({ message_no }) => [message_no])
  const reply: EdiMailList = { items: items.map(asRead), next_cursor, reason: order === undefined ? null : addressAbsence(order) }
  return ok(reply)
}

/** GET …/edi/{message_id}/document. */
export const getMailDocument: Handler<undefined, EdiDocumentQuery> = async (deps, { caller, params, query }) => {
  const orderId = await ownOrder(deps, caller, params)
  const document = await readMailDocument(deps.db, orderId, params.message_id ?? '')
  if (document === undefined) throw noSuchMail()
  const form = query.format ?? (document.scx === null && document.csv !== null ? 'csv' : 'scx')
  const content = document[form]
  if (content === null) throw notThere(document, form)
  const filename = `${document.filename?.replace(/\.\w+$/, '')}.${form}`
  const headers = { 'Content-Type': CONTENT_TYPES[form], 'Content-Disposition': `attachment; filename="${filename}"` }
  return { status: 200, body: content, headers }
}

const CONTENT_TYPES = { scx: 'application/xml; charset=utf-8', csv: 'text/csv; charset=utf-8' } as const

function notThere({ status, scx, csv }: MailDocument, form: string): Refusal {
  if (scx !== null || csv !== null) return new Refusal('NOT_FOUND', `This mail carries no ${form}.`, { field: 'format' })
  const message =
    status === 'queued' ? 'The document is made at the first attempt of its mail.' : `This mail was ${status} without a document.`
  return new Refusal('INVALID_STATE', message, { status })
}

/**
 * POST …/edi: 202 with the new mail. A reused Idempotency-Key gets its first answer again; a refusal does not use up a key, nor does it
 * count against the daily share.
 */
export const postResend: Handler<ResendEdi> = async (deps, call) => {
  const { caller, params, body, unknown } = call
  const orderId = await ownOrder(deps, caller, params)
  const key = requestKey(call)
  const used = key && (await findResend(deps.db, orderId, caller.entity, key))
  if (used !== undefined) return repeatedReply(202, used)
  const order = await readMailedOrder(deps.db, orderId)
  if (order === undefined) throw noSuchOrder()
  const mail = await (body.message_id === undefined ? readLatestMail(deps.db, orderId) : readMail(deps.db, orderId, body.message_id))
  if (body.message_id !== undefined && mail === undefined) throw noSuchMail()
  checkResend(order, mail)
  const reply = (queued: StoredMail) => {
    const item = asRead(queued)
    return JSON.stringify({ ...item, warnings: [...item.warnings, ...unknown] } satisfies EdiMail)
  }
  const messageId = body.message_id === undefined && mail !== undefined && lacksCancel(order, mail) ? undefined : mail?.message_id
  const request = { orderId, tenant: caller.entity, messageId, key, perDay: EDI_RESENDS_PER_DAY, reply }
  const resent = await queueResend(deps.db, request)
  if (resent === 'already queued') throw stillQueued()
  if ('used' in resent) return repeatedReply(202, resent.used)
  if ('reply' in resent) return accepted(resent.reply)
  const message = `Each side may have documents of an order sent again ${EDI_RESENDS_PER_DAY} times in 24 hours.`
  throw overLimit({ limit: 'resends', most: EDI_RESENDS_PER_DAY, window_s: 86_400 }, message, resent.retryAfter)
}

function noSuchMail(): Refusal {
  return new Refusal('NOT_FOUND', 'The order has no such mail.')
}

function asRead(mail: StoredMail): EdiMail {
  const { message_id, document, document_id, seq, status, status_reason, stuck, message_ref, resend_of, filename, sha256 } = mail
  const { created_at, due_at, sent_at, bounced_at, attempts } = mail
  return {
    ...{ message_id, document, document_id, seq, to: mail.to_address, status },
    ...(status_reason === null ? {} : { status_reason }),
    ...{ stuck, message_ref },
    ...(resend_of === null ? {} : { resend_of }),
    ...{ filename, sha256 },
    warnings: mail.warnings.map((code) => ({ code, message: WARNINGS[code] })),
    created_at,
    ...(status === 'queued' ? { due_at } : {}),
    ...(sent_at === null ? {} : { sent_at }),
    ...(bounced_at === null ? {} : { bounced_at }),
    attempts: [...attempts],
  }
}

const WARNINGS: Readonly<Record<EdiWarningCode, string>> = {
  NO_ESTIMATE: 'The order has no estimate_id.',
  ESTIMATE_NOT_REPRESENTABLE: 'XML cannot carry a character of estimate_id: the document has U+FFFD in its place.',
}
