import type { Agreement } from '../../contract/agreement.ts'
import type { CreateHold, Hold, HoldLine } from '../../contract/hold.ts'
import type { Product } from '../../contract/product.ts'
import type { SellerProfile } from '../../contract/seller.ts'
import type { HoldStatus } from '../../contract/vocabulary.ts'
import { weeksOfPeriod } from '../../domain/calendar.ts'
import type { HoldIntake } from '../../domain/holds/checkHold.ts'
import { readPricedWeeks } from '../catalog/pricedWeeks.ts'
import type { Database } from '../connection/database.ts'

/** Holds, and what time and their buyers make of them. Times are ISO UTC; every change of one is one statement. */

type Pool = Pick<Database, 'pool'>

/** How long a seller's API may be asked to hold: whoever asks is gone after that, and the hold with it. */
export const ASKING_MS = 60_000

/** The world as far as a hold names it. */
export async function readHoldIntake({ pool }: Pool, ask: CreateHold, buyerEntity: string): Promise<HoldIntake> {
  const starts = ask.lines.flatMap(({ period }) => [period.start, ...safeWeeks(period)])
  const { rows } = await pool.query<{
    profile: SellerProfile | null
    standing: HoldIntake['standing'] | null
    agreements: Agreement[] | null
    products: Product[] | null
    avails: HoldIntake['avails'] | null
  }>({
    ...INTAKE,
    values: [ask.seller, buyerEntity, ask.lines.map(({ product_id }) => product_id), starts, new Date().toISOString().slice(0, 10)],
  })
  const [row] = rows
  const agreements = row?.agreements ?? []
  return {
    priced: await readPricedWeeks(
      { pool },
      {
        seller: ask.seller,
        buyer: buyerEntity,
        agreementIds: agreements.map(({ agreement_id }) => agreement_id),
        productIds: ask.lines.map(({ product_id }) => product_id),
        weeks: ask.lines.flatMap(({ period }) => safeWeeks(period)),
      },
    ),
    seller: row?.profile ? { profile: row.profile } : undefined,
    standing: row?.standing ?? { status: 'active', allowlisted: false },
    agreements,
    products: row?.products ?? [],
    avails: row?.avails ?? [],
  }
}

/** The seller's API has answered: held, or not. Answers the hold as it stands; one that was over before the answer stays over. */
export async function answerHold({ pool }: Pool, holdId: string, status: 'held' | 'refused' | 'released'): Promise<HoldStatus | undefined> {
  await pool.query({ ...ANSWER, values: [holdId, status] })
  const { rows } = await pool.query<HoldRow>({ ...READ, values: [holdId, null] })
  return rows[0] && asHold(rows[0]).status
}

/** A hold of this buyer that was once held; undefined when it is none of theirs. */
export async function readHold({ pool }: Pool, buyerEntity: string, holdId: string): Promise<Hold | undefined> {
  const { rows } = await pool.query<HoldRow>({ ...READ, values: [holdId, buyerEntity] })
  return rows[0] && asHold(rows[0])
}

/** Which of a buyer's holds, and from where on. */
export interface HoldList {
  readonly status?: HoldStatus | undefined
  readonly before?: string | undefined
  readonly limit: number
}

/** A buyer's holds, newest first. */
export async function listHolds({ pool }: Pool, buyerEntity: string, { status, before, limit }: HoldList): Promise<Hold[]> {
  const { rows } = await pool.query<HoldRow>({ ...LIST, values: [buyerEntity, status ?? null, before ?? null, limit] })
  return rows.map(asHold)
}

/** Ends a standing hold of this buyer and wakes its run; any other stays as it is. */
export async function releaseHold({ pool }: Pool, buyerEntity: string, holdId: string): Promise<void> {
  await pool.query({ ...RELEASE, values: [holdId, buyerEntity] })
}

/** What is left to be done for a hold: wait until `due_at`, tell the seller's API that it is over, or nothing. */
export type HoldTask = { due_at: string } | 'tell_seller' | 'nothing'

/** Ends a hold whose time is over and says what is left to be done. Run twice, it is done once. */
export async function tendHold({ pool }: Pool, holdId: string): Promise<HoldTask> {
  await pool.query({ ...EXPIRE, values: [holdId, ASKING_MS / 1_000] })
  const { rows } = await pool.query<HoldRow>({ ...READ_ANY, values: [holdId] })
  const [row] = rows
  if (row === undefined || row.closed) return 'nothing'
  if (row.status === 'asking') return { due_at: new Date(Date.parse(row.created_at) + ASKING_MS).toISOString() }
  if (row.status === 'held') return { due_at: row.expires_at }
  if (row.at_seller && (row.status === 'released' || row.status === 'expired')) return 'tell_seller'
  await closeHold({ pool }, holdId)
  return 'nothing'
}

/** Has the runs look whose holds ought to have ended a minute ago: they are lost. Answers how many. */
export async function sweepHolds({ pool }: Pool): Promise<number> {
  return (await pool.query(SWEEP)).rowCount ?? 0
}

/** The end of this hold is told, or nobody is left to be told. */
export async function closeHold({ pool }: Pool, holdId: string): Promise<void> {
  await pool.query({ name: 'close-hold', text: 'update holds set closed = true where hold_id = $1', values: [holdId] })
}

/** Between whom a hold is. */
export interface HoldParties {
  readonly seller: string
  readonly buyer: string
}

export async function readHoldParties({ pool }: Pool, holdId: string): Promise<HoldParties | undefined> {
  const { rows } = await pool.query<HoldParties>({ ...PARTIES, values: [holdId] })
  return rows[0]
}

export interface HoldRow {
  hold_id: string
  seller: string
  status: HoldStatus | 'asking' | 'refused'
  lines: HoldLine[]
  created_at: string
  expires_at: string
  order_id: string | null
  at_seller: boolean
  closed: boolean
}

/** A hold whose time is over is over, whether or not its run has noticed. */
export function asHold({ hold_id, seller, status, lines, created_at, expires_at, order_id }: HoldRow): Hold {
  const shown = status === 'held' && Date.parse(expires_at) <= Date.now() ? 'expired' : (status as HoldStatus)
  return { hold_id, seller, status: shown, lines, created_at, expires_at, order_id }
}

/** A period that does not exist touches no week; the rules refuse it by name. */
function safeWeeks({ grain, start }: HoldLine['period']): string[] {
  try {
    return weeksOfPeriod(grain, start)
  } catch {
    return []
  }
}

export const HOLD_COLUMNS = 'hold_id, seller, status, lines, created_at, expires_at, order_id, at_seller, closed'

const INTAKE = {
  name: 'read-hold-intake',
  text: `select
    (select profile from sellers where seller = $1) as profile,
    (select json_build_object('status', status, 'allowlisted', allowlisted) from seller_buyers where seller = $1 and buyer_entity = $2) as standing,
    (select json_agg(body order by agreement_id) from agreements
       where buyer_entity = $2 and seller = $1 and status = 'active' and effective @> $5::date) as agreements,
    (select json_agg(body) from products
       where seller = $1 and reader = any(array['', $2::text]) and sold_until >= $5::text and product_id = any($3::text[])) as products,
    (select json_agg(json_build_object('product_id', product_id, 'grain', grain, 'start', start, 'state', state,
        'count', coalesce(body->'units'->'available', body->'spots'->'available')))
       from avails where seller = $1 and product_id = any($3::text[]) and start = any($4::text[])) as avails`,
}

const ANSWER = {
  name: 'answer-hold',
  text: `with answered as (
      update holds set status = $2 where hold_id = $1 and status = 'asking' and expires_at > now() returning hold_id
    )
    insert into outbox (kind, target) select 'hold', hold_id from answered`,
}

const READ = {
  name: 'read-hold',
  text: `select ${HOLD_COLUMNS} from holds where hold_id = $1 and ($2::text is null or buyer_entity = $2) and status not in ('asking', 'refused')`,
}

const PARTIES = { name: 'read-hold-parties', text: 'select seller, buyer_entity as buyer from holds where hold_id = $1' }

const LIST = {
  name: 'list-holds',
  text: `select ${HOLD_COLUMNS} from holds
    where buyer_entity = $1 and status not in ('asking', 'refused') and ($3::text is null or hold_id < $3)
      and ($2::text is null or $2 = case when status = 'held' and expires_at <= now() then 'expired' else status end)
    order by hold_id desc limit $4`,
}

const READ_ANY = { name: 'read-any-hold', text: `select ${HOLD_COLUMNS} from holds where hold_id = $1` }

const RELEASE = {
  name: 'release-hold',
  text: `with released as (
      update holds set status = 'released' where hold_id = $1 and buyer_entity = $2 and status = 'held' and expires_at > now() returning hold_id
    )
    insert into outbox (kind, target) select 'hold', hold_id from released`,
}

const SWEEP = {
  name: 'sweep-holds',
  text: `insert into outbox (kind, target) select 'hold', hold_id from holds
    where status in ('asking', 'held') and expires_at < now() - interval '1 minute'
      and hold_id not in (select target from outbox where kind = 'hold') limit 1000`,
}

const EXPIRE = {
  name: 'expire-hold',
  text: `update holds set status = case status when 'held' then 'expired' else 'released' end
    where hold_id = $1 and (status = 'held' and expires_at <= now() or status = 'asking' and created_at <= now() - $2 * interval '1 second')`,
}
