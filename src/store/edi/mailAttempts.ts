import type { EdiOutcome, EdiStatus, EdiStuckReason } from '../../contract/vocabulary/edi.ts'
import { batched } from '../connection/batched.ts'
import { arraysOf, namesOf, valuesOf } from '../connection/columns.ts'
import type { Database } from '../connection/database.ts'
import { statement } from '../connection/statement.ts'
import type { ClaimedMail } from './mailQueue.ts'

/** Attempts of mails. Each is counted before it is made, so that it counts even if the process dies. Concurrent ones share a statement. */

type Pool = Pick<Database, 'pool'>

/** Counts another attempt of a frozen mail. Returns false if another process had the mail meanwhile: then the attempt is not made. */
export function beginAttempt({ pool }: Pool, mail: ClaimedMail): Promise<boolean> {
  return begin(pool, mail)
}

/** Takes back an attempt that was counted but never made: the mail is due again. */
export async function takeBackAttempt({ pool }: Pool, { message_id, attempts, may_have_gone }: ClaimedMail): Promise<void> {
  await pool.query(TAKE_BACK.bind({ message_id, attempts, may_have_gone }))
}

/** A finished attempt, and the mail's state after it. */
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
  /** When the next attempt is due; null if the mail is done. */
  readonly due_at: string | null
  readonly may_have_gone: boolean
}

/** Writes an attempt, and the mail's new state unless another process has attempted it since. A sent mail becomes `sent` in any case. */
export function endAttempt({ pool }: Pool, ended: EndedAttempt): Promise<void> {
  return end(pool, ended)
}

/** Ends a mail that was never attempted. */
export async function endUnsent({ pool }: Pool, message_id: string, status: 'failed' | 'skipped', status_reason: string): Promise<void> {
  await pool.query(END_UNSENT.bind({ message_id, status, status_reason }))
}

/**
 * Counts a failure to render a mail. It is due again in a minute, and `failed` for this reason after `max` failures: then returns true.
 */
export async function countRenderFailure({ pool }: Pool, message_id: string, max: number, status_reason: string): Promise<boolean> {
  const { rows } = await pool.query<{ status: EdiStatus }>(COUNT_FAILURE.bind({ message_id, max, status_reason }))
  return rows[0]?.status === 'failed'
}

const CLAIMED = { message_id: 'text', attempts: 'int' } as const

const begin = batched<ClaimedMail, boolean>(async (pool, mails) => {
  const { rows } = await pool.query<{ message_id: string }>(BEGIN.bind(valuesOf(CLAIMED, mails)))
  const begun = new Set(rows.map(({ message_id }) => message_id))
  return mails.map(({ message_id }) => begun.has(message_id))
})

const ENDED = {
  message_id: 'text',
  n: 'int',
  at: 'timestamptz',
  outcome: 'text',
  reason: 'text',
  code: 'int',
  enhanced: 'text',
  latency_ms: 'int',
  status: 'text',
  status_reason: 'text',
  stuck: 'text',
  due_at: 'timestamptz',
  may_have_gone: 'boolean',
} as const

/** Runs one statement at a time, with a pause in between: attempts that end meanwhile are written together. */
const end = batched<EndedAttempt, void>(
  async (pool, ended) => {
    await pool.query(END.bind(valuesOf(ENDED, ended)))
    return ended.map(() => undefined)
  },
  { max: 64, inFlight: 1, leastMs: 20 },
)

/** Counts attempts; a row for each mail that is unchanged since its claim. From here on it may be sent, even if no process reports it. */
const BEGIN = statement(
  'begin-mail-attempts',
  namesOf(CLAIMED),
  `update edi_messages m set attempts = m.attempts + 1, may_have_gone = true, first_attempt_at = coalesce(first_attempt_at, now()), render_failures = 0
    from unnest(${arraysOf(CLAIMED)}) as begun (${namesOf(CLAIMED)})
    where m.message_id = any(:message_id::text[]) and m.message_id = begun.message_id and m.status = 'queued' and m.attempts = begun.attempts
    returning m.message_id`,
)

/** Restores a mail to its state before its last attempt, and makes it due, unless another process has attempted it since. */
const TAKE_BACK = statement(
  'take-back-mail-attempt',
  ['message_id', 'attempts', 'may_have_gone'],
  `update edi_messages set attempts = :attempts::int, may_have_gone = :may_have_gone, leased_until = null,
      first_attempt_at = case when :attempts::int > 0 then first_attempt_at end
    where message_id = :message_id and status = 'queued' and attempts = :attempts::int + 1`,
)

/** Writes attempts, and the state of each mail without a later attempt. */
const END = statement(
  'end-mail-attempts',
  namesOf(ENDED),
  `with ended as materialized (
      select * from unnest(${arraysOf(ENDED)}) as ended (${namesOf(ENDED)})
    ), moved as (
      update edi_messages m set status = e.status, status_reason = e.status_reason, stuck = e.stuck, due_at = coalesce(e.due_at, m.due_at),
          may_have_gone = e.may_have_gone, leased_until = null, sent_at = case when e.status = 'sent' then e.at end
        from ended e
        where m.message_id = any(:message_id::text[]) and m.message_id = e.message_id and m.status = 'queued' and (m.attempts = e.n or e.status = 'sent')
    )
    insert into edi_attempts (message_id, n, at, outcome, reason, code, enhanced, latency_ms)
    select message_id, n, at, outcome, reason, code, enhanced, latency_ms from ended on conflict do nothing`,
)

/** Ends a mail without an attempt. */
const END_UNSENT = statement(
  'end-unsent-mail',
  ['message_id', 'status', 'status_reason'],
  `update edi_messages set status = :status, status_reason = :status_reason, leased_until = null
    where message_id = :message_id and status = 'queued' and attempts = 0`,
)

/** Returns one row with the status of a mail after another failure to render it; none if the mail no longer waits. */
const COUNT_FAILURE = statement(
  'count-render-failure',
  ['message_id', 'max', 'status_reason'],
  `update edi_messages set render_failures = render_failures + 1, due_at = now() + interval '1 minute', leased_until = null,
      status = case when render_failures + 1 >= :max::int then 'failed' else status end,
      status_reason = case when render_failures + 1 >= :max::int then :status_reason end
    where message_id = :message_id and status = 'queued' returning status`,
)
