import type { Agreement } from '../../contract/agreement.ts'
import type { CreateHold, Hold, HoldLine, ReceivedHold } from '../../contract/hold.ts'
import type { Product } from '../../contract/product.ts'
import type { SellerProfile } from '../../contract/seller.ts'
import type { HoldStatus } from '../../contract/vocabulary.ts'
import { weeksOfPeriod } from '../../domain/calendar.ts'
import type { HoldIntake } from '../../domain/holds/checkHold.ts'
import { readPricedWeeks } from '../catalog/pricedWeeks.ts'
import { isInForce } from '../catalog/unpublished.ts'
import type { Database } from '../connection/database.ts'
import { statement } from '../connection/statement.ts'

/** Holds, and how time and their buyers change them. Times are ISO UTC; every change is a single statement. */

type Pool = Pick<Database, 'pool'>

/** The milliseconds in which a seller's API may be asked to hold. After them the asking process is gone, and the hold ends. */
export const ASKING_MS = 60_000

/** Reads everything that a hold request names. */
export async function readHoldIntake({ pool }: Pool, request: CreateHold, buyerEntity: string): Promise<HoldIntake> {
  const starts = request.lines.flatMap(({ period }) => [period.start, ...safeWeeks(period)])
  const { rows } = await pool.query<{
    profile: SellerProfile | null
    standing: HoldIntake['standing'] | null
    agreements: Agreement[] | null
    products: Product[] | null
    avails: HoldIntake['avails'] | null
  }>(
    INTAKE.bind({
      seller: request.seller,
      buyer: buyerEntity,
      product_ids: request.lines.map(({ product_id }) => product_id),
      starts,
      today: new Date().toISOString().slice(0, 10),
    }),
  )
  const [row] = rows
  const agreements = row?.agreements ?? []
  return {
    priced: await readPricedWeeks(
      { pool },
      {
        seller: request.seller,
        buyer: buyerEntity,
        agreementIds: agreements.map(({ agreement_id }) => agreement_id),
        productIds: request.lines.map(({ product_id }) => product_id),
        weeks: request.lines.flatMap(({ period }) => safeWeeks(period)),
      },
    ),
    seller: row?.profile ? { profile: row.profile } : undefined,
    standing: row?.standing ?? { status: 'active', allowlisted: false },
    agreements,
    products: row?.products ?? [],
    avails: row?.avails ?? [],
  }
}

/** Records the answer of the seller's API, held or not. Returns the hold's status; a hold that ended before the answer stays ended. */
export async function answerHold({ pool }: Pool, holdId: string, status: 'held' | 'refused' | 'released'): Promise<HoldStatus | undefined> {
  await pool.query(ANSWER.bind({ hold_id: holdId, status }))
  const { rows } = await pool.query<HoldRow>(READ.bind({ hold_id: holdId, buyer: null }))
  return rows[0] && asHold(rows[0]).status
}

/** Returns a hold of this buyer that was ever held; undefined if the buyer has no such hold. */
export async function readHold({ pool }: Pool, buyerEntity: string, holdId: string): Promise<Hold | undefined> {
  const { rows } = await pool.query<HoldRow>(READ.bind({ hold_id: holdId, buyer: buyerEntity }))
  return rows[0] && asHold(rows[0])
}

/** Selects a buyer's holds, and the position to start from. */
export interface HoldList {
  readonly status?: HoldStatus | undefined
  readonly before?: string | undefined
  readonly limit: number
}

/** Lists a buyer's holds, newest first. */
export async function listHolds({ pool }: Pool, buyerEntity: string, { limit, ...list }: HoldList): Promise<Hold[]> {
  const { rows } = await pool.query<HoldRow>(
    LIST.bind({ buyer: buyerEntity, status: list.status ?? null, before: list.before ?? null, limit }),
  )
  return rows.map(asHold)
}

/** Lists the holds on a seller's inventory, newest first. */
export async function listReceivedHolds({ pool }: Pool, seller: string, { limit, ...list }: HoldList): Promise<ReceivedHold[]> {
  const { rows } = await pool.query<HoldRow & { buyer_entity: string }>(
    RECEIVED.bind({ seller, status: list.status ?? null, before: list.before ?? null, limit }),
  )
  return rows.map(({ buyer_entity, ...row }) => ({ ...asHold(row), buyer_entity }))
}

/** Ends an active hold of this buyer and wakes its run; does not change a hold that is not active. */
export async function releaseHold({ pool }: Pool, buyerEntity: string, holdId: string): Promise<void> {
  await pool.query(RELEASE.bind({ hold_id: holdId, buyer: buyerEntity }))
}

/** The remaining work for a hold: wait until `due_at`, tell the seller's API that it is over, or nothing. */
export type HoldTask = { due_at: string } | 'tell_seller' | 'nothing'

/** Ends a hold whose time is over and returns the remaining work. Idempotent. */
export async function tendHold({ pool }: Pool, holdId: string): Promise<HoldTask> {
  await pool.query(EXPIRE.bind({ hold_id: holdId, asking_seconds: ASKING_MS / 1_000 }))
  const { rows } = await pool.query<HoldRow>(READ_ANY.bind({ hold_id: holdId }))
  const [row] = rows
  if (row === undefined || row.closed) return 'nothing'
  if (row.status === 'asking') return { due_at: new Date(Date.parse(row.created_at) + ASKING_MS).toISOString() }
  if (row.status === 'held') return { due_at: row.expires_at }
  if (row.at_seller && (row.status === 'released' || row.status === 'expired')) return 'tell_seller'
  await closeHold({ pool }, holdId)
  return 'nothing'
}

/** Wakes the runs of holds that should have ended a minute ago, since those runs are lost. Returns their number. */
export async function sweepHolds({ pool }: Pool): Promise<number> {
  return (await pool.query(SWEEP)).rowCount ?? 0
}

/** Closes a hold whose end its seller's API knows, or for which there is no API left to notify. */
export async function closeHold({ pool }: Pool, holdId: string): Promise<void> {
  await pool.query(CLOSE.bind({ hold_id: holdId }))
}

/** The parties of a hold. */
export interface HoldParties {
  readonly seller: string
  readonly buyer: string
}

export async function readHoldParties({ pool }: Pool, holdId: string): Promise<HoldParties | undefined> {
  const { rows } = await pool.query<HoldParties>(PARTIES.bind({ hold_id: holdId }))
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

/** Converts a row to a hold. A hold whose time is over is over, whether or not its run has noticed. */
export function asHold({ hold_id, seller, status, lines, created_at, expires_at, order_id }: HoldRow): Hold {
  const shown = status === 'held' && Date.parse(expires_at) <= Date.now() ? 'expired' : (status as HoldStatus)
  return { hold_id, seller, status: shown, lines, created_at, expires_at, order_id }
}

/** Returns the weeks of a period. A period that does not exist touches no week, and the rules refuse it by name. */
function safeWeeks({ grain, start }: HoldLine['period']): string[] {
  try {
    return weeksOfPeriod(grain, start)
  } catch {
    return []
  }
}

export const HOLD_COLUMNS = 'hold_id, seller, status, lines, created_at, expires_at, order_id, at_seller, closed'

/** Reads what a hold is checked against, in one row: a member is null if there is nothing. */
const INTAKE = statement(
  'read-hold-intake',
  ['seller', 'buyer', 'product_ids', 'starts', 'today'],
  `select
    (select profile from sellers where seller = :seller) as profile,
    (select json_build_object('status', status, 'allowlisted', allowlisted) from seller_buyers where seller = :seller and buyer_entity = :buyer) as standing,
    (select json_agg(body order by agreement_id) from agreements
       where buyer_entity = :buyer and seller = :seller and status = 'active' and effective @> :today::date) as agreements,
    (select json_agg(body) from products p
       where seller = :seller and ${isInForce('p', ':seller')} and reader = any(array['', :buyer::text]) and sold_until >= :today::text and product_id = any(:product_ids::text[])) as products,
    (select json_agg(json_build_object('product_id', product_id, 'grain', grain, 'start', start, 'state', state,
        'count', coalesce(body->'units'->'available', body->'spots'->'available')))
       from avails where seller = :seller and product_id = any(:product_ids::text[]) and start = any(:starts::text[])) as avails`,
)

/** Ends the asking of a hold that is not over, and wakes its run. Returns nothing. */
const ANSWER = statement(
  'answer-hold',
  ['hold_id', 'status'],
  `with answered as (
      update holds set status = :status where hold_id = :hold_id and status = 'asking' and expires_at > now() returning hold_id
    )
    insert into outbox (kind, target) select 'hold', hold_id from answered`,
)

/** Reads a hold that was ever held, if it is this buyer's; of any buyer if that is null. */
const READ = statement(
  'read-hold',
  ['hold_id', 'buyer'],
  `select ${HOLD_COLUMNS} from holds where hold_id = :hold_id and (:buyer::text is null or buyer_entity = :buyer) and status not in ('asking', 'refused')`,
)

/** Reads the seller and the buyer of a hold. */
const PARTIES = statement('read-hold-parties', ['hold_id'], 'select seller, buyer_entity as buyer from holds where hold_id = :hold_id')

/** SQL: selects holds that were ever held, with a status that may be null, below an id that may be null. */
const LISTED = `status not in ('asking', 'refused') and (:before::text is null or hold_id < :before)
      and (:status::text is null or :status = case when status = 'held' and expires_at <= now() then 'expired' else status end)
    order by hold_id desc limit :limit`

/** Reads a buyer's holds below an id, newest first. A hold past its expiry reads as expired even before its row is updated. */
const LIST = statement(
  'list-holds',
  ['buyer', 'status', 'before', 'limit'],
  `select ${HOLD_COLUMNS} from holds
    where buyer_entity = :buyer and ${LISTED}`,
)

/** Reads a seller's holds below an id, newest first. */
const RECEIVED = statement(
  'list-received-holds',
  ['seller', 'status', 'before', 'limit'],
  `select ${HOLD_COLUMNS}, buyer_entity from holds where seller = :seller and ${LISTED}`,
)

/** Reads a hold in any status, even if it was never held. */
const READ_ANY = statement('read-any-hold', ['hold_id'], `select ${HOLD_COLUMNS} from holds where hold_id = :hold_id`)

/** Releases a hold that is held and not over, and wakes its run. Returns nothing. */
const RELEASE = statement(
  'release-hold',
  ['hold_id', 'buyer'],
  `with released as (
      update holds set status = 'released' where hold_id = :hold_id and buyer_entity = :buyer and status = 'held' and expires_at > now() returning hold_id
    )
    insert into outbox (kind, target) select 'hold', hold_id from released`,
)

/** Marks a hold as closed. */
const CLOSE = statement('close-hold', ['hold_id'], 'update holds set closed = true where hold_id = :hold_id')

/** SQL: selects the holds that will end, and those whose end their seller's API may not know yet. It is told for an hour at most. */
export const OPEN_HOLDS = `select hold_id as target from holds
    where status in ('asking', 'held') or not closed and status in ('released', 'expired') and expires_at > now() - interval '1 hour'`

/** Wakes up to 1,000 runs whose hold should have ended a minute ago. Returns nothing; the row count is their number. */
const SWEEP = {
  name: 'sweep-holds',
  text: `insert into outbox (kind, target) select 'hold', hold_id from holds
    where status in ('asking', 'held') and expires_at < now() - interval '1 minute'
      and hold_id not in (select target from outbox where kind = 'hold') limit 1000`,
}

/** Ends a hold whose time is over, or whose seller has been asked for too long. Returns nothing. */
const EXPIRE = statement(
  'expire-hold',
  ['hold_id', 'asking_seconds'],
  `update holds set status = case status when 'held' then 'expired' else 'released' end
    where hold_id = :hold_id and (status = 'held' and expires_at <= now() or status = 'asking' and created_at <= now() - :asking_seconds * interval '1 second')`,
)
