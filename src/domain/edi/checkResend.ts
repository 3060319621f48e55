import type { EdiAbsence, EdiDocument, EdiStatus } from '../../contract/vocabulary/edi.ts'
import type { OrderStatus } from '../../contract/vocabulary.ts'
import { invalidState } from '../order/transitions.ts'
import { Refusal } from '../refusal.ts'

/** The facts that decide whether an order has documents to send, and to which address. */
export interface MailedOrder {
  readonly status: OrderStatus
  readonly last_seq: number
  /** Null if the order was never placed. */
  readonly placed_at: string | null
  readonly agreement_id: string | null
  /** The current address of the agreement. */
  readonly to_address: string | null
}

interface EarlierMail {
  readonly message_id: string
  readonly status: EdiStatus
  readonly status_reason: string | null
}

/**
 * Throws INVALID_STATE unless a document of an order can be sent again. An order without a mail was placed when its agreement had no
 * address: its document can be sent for the first time, unless the order has been canceled since.
 */
export function checkResend(order: MailedOrder, mail: EarlierMail | undefined): void {
  const { status, last_seq, placed_at, agreement_id } = order
  if (placed_at === null) throw invalidState(order, `The order is ${status} and was never placed: it has no document.`)
  const reason = addressAbsence(order)
  if (reason !== null) {
    const message = reason === 'no_agreement' ? 'The order is under no agreement.' : `The agreement ${agreement_id} has no edi address.`
    throw new Refusal('INVALID_STATE', message, { status, last_seq, reason })
  }
  if (mail === undefined) {
    if (status !== 'placed') throw invalidState(order, `The order is ${status}, and nothing of it was sent before.`)
    return
  }
  if (mail.status === 'queued') throw stillQueued({ message_id: mail.message_id })
  if (mail.status !== 'skipped') return
  const message = `This mail was skipped (${mail.status_reason}): it has no document.`
  throw new Refusal('INVALID_STATE', message, { message_id: mail.message_id, status: mail.status, status_reason: mail.status_reason })
}

/** Returns true if a cancel has no mail, since its agreement had no address then. `mail` is that of the order's last event with one. */
export function lacksCancel({ status }: Pick<MailedOrder, 'status'>, { document }: { readonly document: EdiDocument }): boolean {
  return status === 'canceled' && document !== 'cancelled'
}

/** Returns why an order has no address for its documents; null if it has one. */
export function addressAbsence({ agreement_id, to_address }: MailedOrder): EdiAbsence | null {
  if (agreement_id === null) return 'no_agreement'
  return to_address === null ? 'no_address' : null
}

export function stillQueued(named: { message_id?: string } = {}): Refusal {
  return new Refusal('INVALID_STATE', 'This mail is still queued: it is sent without another request.', { ...named, status: 'queued' })
}
