import type { EdiDocument } from '../../contract/vocabulary/edi.ts'
import type { MailState } from '../../domain/edi/mailState.ts'
import type { Database } from '../connection/database.ts'
import { statement } from '../connection/statement.ts'

/** The queue of mails: a due mail is claimed for a lease and attempted, and then done or due again. */

type Pool = Pick<Database, 'pool'>

/** A mail that this process has leased. */
export interface ClaimedMail {
  readonly message_id: string
  readonly order_id: string
  /** The seq of the event that its document is about. */
  readonly seq: number
  readonly agreement_id: string
  readonly seller: string
  readonly buyer_entity: string
  readonly document: EdiDocument
  readonly document_id: string
  readonly resend_of: string | null
  readonly created_at: string
  /** Whether its content is fixed and never changes. */
  readonly is_frozen: boolean
  /** The number of attempts that were started. */
  readonly attempts: number
  readonly first_attempt_at: string | null
  readonly may_have_gone: boolean
}

/** How long a claim lasts unless it is renewed. */
export const MAIL_LEASE_MS = 120_000

/**
 * Claims up to `max` due mails of an agreement, the longest due first, for so many milliseconds. In a thread only the oldest waiting mail
 * is ever due.
 */
export async function claimMails({ pool }: Pool, agreement_id: string, max: number, lease_ms: number): Promise<ClaimedMail[]> {
  return (await pool.query<ClaimedMail>(CLAIM.bind({ agreement_id, max, lease_ms }))).rows
}

/** Extends the lease of these mails to so many milliseconds from now. */
export async function renewMails({ pool }: Pool, message_ids: readonly string[], lease_ms: number): Promise<void> {
  if (message_ids.length > 0) await pool.query(RENEW.bind({ message_ids, lease_ms }))
}

/** Returns the mails that an agreement still has to send. */
export async function readMailState({ pool }: Pool, agreement_id: string): Promise<MailState> {
  const { rows } = await pool.query<MailState>(STATE.bind({ agreement_id }))
  return rows[0] as MailState
}

/** Puts every agreement with a mail that has been due for a minute into the outbox, unless it is already there. Returns their number. */
export async function sweepMails({ pool }: Pool): Promise<number> {
  const { rowCount } = await pool.query(SWEEP.bind({}))
  return rowCount ?? 0
}

const LEASE = `:lease_ms * interval '1 ms'`
const IS_FREE = '(leased_until is null or leased_until <= now())'
/**
 * SQL: true for the oldest waiting mail of a thread, which alone may be sent. The subquery finds one row by index for each mail in
 * question: an anti-join would first read the whole queue of the agreement.
 */
const IS_FIRST = `message_no = (select e.message_no from edi_messages e
        where e.agreement_id = m.agreement_id and e.thread = m.thread and e.status = 'queued' order by e.message_no limit 1)`

/** Leases mails, and returns them in the order in which they are due. */
const CLAIM = statement(
  'claim-mails',
  ['agreement_id', 'max', 'lease_ms'],
  `with due as materialized (
      select message_id from edi_messages m
        where agreement_id = :agreement_id and status = 'queued' and due_at <= now() and ${IS_FREE} and ${IS_FIRST}
        order by due_at, message_no limit :max for update skip locked
    ), claimed as (
      update edi_messages m set leased_until = now() + ${LEASE} where message_id = any(array(select message_id from due)) returning m.*
    )
    select message_id, order_id, coalesce(seq, (select coalesce(d.seq, d.seq_then) from edi_messages d where d.message_id = claimed.document_id)) as seq, agreement_id, seller,
        buyer_entity, document, document_id, resend_of, created_at, message_ref is not null as is_frozen, attempts, first_attempt_at, may_have_gone
      from claimed order by due_at, message_no`,
)

/** Sets leases to end a full lease from now. */
const RENEW = statement(
  'renew-mails',
  ['message_ids', 'lease_ms'],
  `update edi_messages set leased_until = now() + ${LEASE} where message_id = any(:message_ids::text[]) and status = 'queued'`,
)

/** Returns one row: when an agreement's next mail is due, how many wait, and why the first stuck one is stuck. */
const STATE = statement(
  'read-mail-state',
  ['agreement_id'],
  `select least(
        (select due_at from edi_messages m where agreement_id = :agreement_id and status = 'queued' and ${IS_FREE} and ${IS_FIRST}
          order by due_at, message_no limit 1),
        min(greatest(due_at, leased_until)) filter (where not ${IS_FREE})) as at,
      count(*)::int as waiting, min(seller) as seller, min(buyer_entity) as buyer_entity,
      (array_agg(stuck order by message_no) filter (where stuck is not null))[1] as stuck
    from edi_messages where agreement_id = :agreement_id and status = 'queued'`,
)

/** SQL: selects the agreements that have mails to send, at whatever time. */
export const OPEN_MAILS = `select distinct agreement_id as target from edi_messages where status = 'queued'`

/** Gives each agreement whose mails are stuck an outbox row; the row count is their number. */
const SWEEP = statement(
  'sweep-mails',
  [],
  `insert into outbox (kind, target)
    select distinct 'mail', agreement_id from edi_messages m
      where status = 'queued' and greatest(due_at, leased_until) < now() - interval '1 minute' and ${IS_FIRST}
        and agreement_id not in (select target from outbox where kind = 'mail')`,
)
