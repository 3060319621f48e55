import type { EdiDocument, EdiOutcome, EdiStatus, EdiStuckReason } from '../../contract/vocabulary/edi.ts'
import type { MailState } from '../../domain/edi/mailState.ts'
import type { Database } from '../connection/database.ts'
import { statement } from '../connection/statement.ts'

/** The queue of mails: what is due is claimed for a lease, attempted, and done or due again. */

type Pool = Pick<Database, 'pool'>

/** A mail that this process has a lease of. */
export interface ClaimedMail {
  readonly message_id: string
  readonly message_no: string
  readonly order_id: string
  /** Of the event that its document is about. */
  readonly seq: number
  readonly agreement_id: string
  readonly thread: string
  readonly document: EdiDocument
  readonly document_id: string
  readonly resend_of: string | null
  readonly created_at: string
  /** Attempts that were begun. From the first on the mail is frozen. */
  readonly attempts: number
  readonly first_attempt_at: string | null
  readonly may_have_gone: boolean
}

/** Claims a mail of an agreement that is due, for two minutes; undefined when none is. Of a thread only the oldest mail that waits is ever due. */
export async function claimMail({ pool }: Pool, agreement_id: string): Promise<ClaimedMail | undefined> {
  const { rows } = await pool.query<ClaimedMail>(CLAIM.bind({ agreement_id }))
  return rows[0]
}

/** Keeps these mails for two minutes more. */
export async function renewMails({ pool }: Pool, message_ids: readonly string[]): Promise<void> {
  await pool.query(RENEW.bind({ message_ids }))
}

/** Ends a mail that was never attempted. */
export async function endUnsent({ pool }: Pool, message_id: string, status: 'failed' | 'skipped', status_reason: string): Promise<void> {
  await pool.query(END_UNSENT.bind({ message_id, status, status_reason }))
}

/** Counts a further attempt of a mail, before it is made. False when another process had the mail meanwhile: then it is not made. */
export async function beginAttempt({ pool }: Pool, { message_id, attempts }: ClaimedMail): Promise<boolean> {
  const { rowCount } = await pool.query(BEGIN.bind({ message_id, attempts }))
  return rowCount === 1
}

/** An attempt that has ended, and what becomes of the mail. */
export interface EndedAttempt {
  readonly message_id: string
  readonly n: number
  readonly at: string
  readonly outcome: EdiOutcome
  readonly reason: EdiStuckReason | null
  readonly code: number | null
  readonly enhanced: string | null
  readonly latency_ms: number
  readonly status: Extract<EdiStatus, 'queued' | 'sent' | 'failed'>
  readonly status_reason: string | null
  readonly stuck: EdiStuckReason | null
  /** When the next attempt is due; null when the mail is done. */
  readonly due_at: string | null
  readonly may_have_gone: boolean
}

/** Writes an attempt, and what it made of the mail unless another process has attempted it since. A mail that went is `sent` in any case. */
export async function endAttempt({ pool }: Pool, ended: EndedAttempt): Promise<void> {
  await pool.query(END.bind({ ...ended }))
}

/** Returns what an agreement has left to send. */
export async function readMailState({ pool }: Pool, agreement_id: string): Promise<MailState> {
  const { rows } = await pool.query<MailState>(STATE.bind({ agreement_id }))
  return rows[0] as MailState
}

/** Puts every agreement with a mail that has been due for a minute into the outbox, unless it waits there. Returns how many. */
export async function sweepMails({ pool }: Pool): Promise<number> {
  const { rowCount } = await pool.query(SWEEP.bind({}))
  return rowCount ?? 0
}

const LEASE = `interval '2 minutes'`
/** Of its thread the oldest that waits, which alone may be sent. */
const IS_FIRST = `not exists (select from edi_messages e where e.agreement_id = m.agreement_id and e.thread = m.thread and e.status = 'queued'
      and e.message_no < m.message_no)`

/** Leases the mail that has been due longest. No row when none is due. */
const CLAIM = statement(
  'claim-mail',
  ['agreement_id'],
  `with due as materialized (
      select message_id from edi_messages m
        where agreement_id = :agreement_id and status = 'queued' and due_at <= now() and (leased_until is null or leased_until <= now()) and ${IS_FIRST}
        order by due_at, message_no limit 1 for update skip locked
    )
    update edi_messages m set leased_until = now() + ${LEASE} from due where m.message_id = due.message_id
    returning m.message_id, m.message_no, m.order_id, (select d.seq from edi_messages d where d.message_id = m.document_id) as seq,
      m.agreement_id, m.thread, m.document, m.document_id, m.resend_of, m.created_at, m.attempts, m.first_attempt_at, m.may_have_gone`,
)

/** Sets leases to end their time from now. */
const RENEW = statement(
  'renew-mails',
  ['message_ids'],
  `update edi_messages set leased_until = now() + ${LEASE} where message_id = any(:message_ids::text[]) and status = 'queued'`,
)

/** Ends a mail without an attempt. */
const END_UNSENT = statement(
  'end-unsent-mail',
  ['message_id', 'status', 'status_reason'],
  `update edi_messages set status = :status, status_reason = :status_reason, leased_until = null
    where message_id = :message_id and status = 'queued' and attempts = 0`,
)

/** Counts an attempt; its row count is 1 when the mail is as it was claimed. It may go from here on, even if nobody lives to say so. */
const BEGIN = statement(
  'begin-mail-attempt',
  ['message_id', 'attempts'],
  `update edi_messages set attempts = attempts + 1, may_have_gone = true
    where message_id = :message_id and status = 'queued' and attempts = :attempts::int`,
)

/** Writes an attempt, and the state of its mail where no later attempt has begun. */
const END = statement(
  'end-mail-attempt',
  [
    ...['message_id', 'n', 'at', 'outcome', 'reason', 'code', 'enhanced', 'latency_ms'],
    ...['status', 'status_reason', 'stuck', 'due_at', 'may_have_gone'],
  ],
  `with ended as (
      update edi_messages set status = :status::text, status_reason = :status_reason, stuck = :stuck, due_at = coalesce(:due_at::timestamptz, due_at),
          may_have_gone = :may_have_gone, leased_until = null, sent_at = case when :status = 'sent' then :at::timestamptz end
        where message_id = :message_id and status = 'queued' and (attempts = :n::int or :status = 'sent')
    )
    insert into edi_attempts (message_id, n, at, outcome, reason, code, enhanced, latency_ms)
    values (:message_id, :n, :at, :outcome, :reason, :code, :enhanced, :latency_ms) on conflict do nothing`,
)

/** One row: when an agreement's next mail is due, how many wait, and why the first of those that are stuck is. */
const STATE = statement(
  'read-mail-state',
  ['agreement_id'],
  `select min(greatest(due_at, leased_until)) filter (where ${IS_FIRST}) as at, count(*)::int as waiting,
      min(seller) as seller, min(buyer_entity) as buyer_entity, (array_agg(stuck order by message_no) filter (where stuck is not null))[1] as stuck
    from edi_messages m where agreement_id = :agreement_id and status = 'queued'`,
)

/** Gives the agreements whose mails stand still an outbox row each; its row count is how many. */
const SWEEP = statement(
  'sweep-mails',
  [],
  `insert into outbox (kind, target)
    select distinct 'mail', agreement_id from edi_messages m
      where status = 'queued' and greatest(due_at, leased_until) < now() - interval '1 minute' and ${IS_FIRST}
        and agreement_id not in (select target from outbox where kind = 'mail')`,
)
