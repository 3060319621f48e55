import type { AgreedMakegood, CreditedUnits, MakegoodOffer } from '../../contract/makegood.ts'
import { MAKEGOODS_PER_DAY, type MakegoodStatus } from '../../contract/vocabulary/makegoods.ts'
import type { MakegoodChange } from '../../domain/makegood/makegoodState.ts'
import type { CountedMakegood } from '../../domain/makegood/unitsOfSpots.ts'
import type { SentAction } from '../../domain/settlement/sentBefore.ts'
import type { Tx } from '../connection/database.ts'
import { statement } from '../connection/statement.ts'
import { runOn } from '../connection/txOn.ts'
import { MAKEGOOD_COLUMNS, type StoredMakegood } from './storedMakegood.ts'

/** Reads and writes of makegoods under the lock of their order. */

/** The makegoods of an order, and the time by the clock of the database. */
export interface OrderMakegoods {
  readonly now: string
  /** What each of them counts for, without offers and actions, which may be large. */
  readonly makegoods: readonly (CountedMakegood & { readonly makegood_id: string })[]
}

export async function loadMakegoods(tx: Tx, orderId: string): Promise<OrderMakegoods> {
  const { rows: clock } = await runOn<{ now: string }>(tx, CLOCK.bind({}))
  const { rows: makegoods } = await runOn<OrderMakegoods['makegoods'][number]>(tx, OF_ORDER.bind({ order_id: orderId }))
  return { now: clock[0]?.now ?? '', makegoods }
}

/** Reads the clock once the lock is held: `now()` is the time before the wait for it. */
const CLOCK = statement('makegood-clock', [], 'select clock_timestamp() as now')

const spotsOf = (list: string) =>
  `(select coalesce(json_agg(json_build_object('unit_id', unit_id, 'date', date, 'units', units)), '[]')
      from json_to_recordset(${list}) as entry (unit_id text, date date, units int))`

/** Reads what the makegoods of an order count for, the oldest first. */
const OF_ORDER = statement(
  'makegoods-of-order',
  ['order_id'],
  `select m.makegood_id, m.status, m.expires_at, ${spotsOf('m.missed')} as missed,
      case when m.agreed is not null then json_build_object('replaces', ${spotsOf("m.agreed->'replaces'")}) end as agreed,
      coalesce((select json_agg(json_build_object('unit_id', c.unit_id, 'date', c.air_date, 'units', c.units))
        from makegood_credits c where c.makegood_id = m.makegood_id), '[]') as credits
    from makegoods m where m.order_id = :order_id order by m.makegood_id`,
)

/** Returns a makegood of an order; undefined if the order has no such makegood. */
export async function findMakegood(tx: Tx, orderId: string, makegoodId: string): Promise<StoredMakegood | undefined> {
  const { rows } = await runOn<StoredMakegood>(tx, FIND.bind({ order_id: orderId, makegood_id: makegoodId }))
  return rows[0]
}

const FIND = statement(
  'find-makegood',
  ['order_id', 'makegood_id'],
  `select ${MAKEGOOD_COLUMNS} from makegoods m where m.order_id = :order_id and m.makegood_id = :makegood_id`,
)

/** Returns the makegood of an order that its seller began with a key. */
export async function findByKey(tx: Tx, orderId: string, key: string): Promise<StoredMakegood | undefined> {
  const { rows } = await runOn<StoredMakegood>(tx, BY_KEY.bind({ order_id: orderId, key }))
  return rows[0]
}

const BY_KEY = statement(
  'find-makegood-by-key',
  ['order_id', 'key'],
  `select ${MAKEGOOD_COLUMNS} from makegoods m where m.makegood_id = (
      select s.makegood_id from makegood_steps s where s.order_id = :order_id and s.request_key = :key and s.side = 'seller' and s.n = 1 limit 1)`,
)

/** Units of a line, network and date that aired, and what variances have credited of them. */
export interface ReconciledDate {
  readonly unit_id: string
  readonly network: string
  readonly date: string
  readonly aired: number
  readonly credited: string
}

/** Reads what reconciliation knows of lines and dates of an order. A makegood that airs without an agreement counts as aired. */
export async function readReconciledDates(
  tx: Tx,
  orderId: string,
  spots: readonly { unit_id: string; date: string }[],
): Promise<ReconciledDate[]> {
  if (spots.length === 0) return []
  const unit_ids = spots.map(({ unit_id }) => unit_id)
  const dates = spots.map(({ date }) => date)
  const { rows } = await runOn<ReconciledDate>(tx, RECONCILED.bind({ order_id: orderId, unit_ids, dates }))
  return rows
}

const RECONCILED = statement(
  'reconciled-dates',
  ['order_id', 'unit_ids', 'dates'],
  `with asked as materialized (
      select distinct unit_id, air_date from unnest(:unit_ids::text[], :dates::date[]) as asked (unit_id, air_date)
    ), aired as (
      select l.unit_id, l.network, l.air_date, (l.body->>'aired_in_spec')::int + (l.body->>'aired_out_of_spec')::int
          + greatest((l.body->>'makegood')::int - coalesce((l.body->>'made_good')::int, 0), 0) as aired
      from asked join reconciliation_lines l using (unit_id, air_date) join reconciliations r using (order_id, result) where l.order_id = :order_id
    ), credited as (
      select a.unit_id, a.network, a.air_date, sum(a.amount) as credited
      from asked join variance_actions a using (unit_id, air_date)
      where a.order_id = :order_id and a.code not in ('RATE_MISMATCH', 'BILLED_NOT_RUN', 'RUN_NOT_ORDERED', 'DUPLICATE')
      group by a.unit_id, a.network, a.air_date
    )
    select unit_id, network, air_date as date, coalesce(aired, 0) as aired, coalesce(credited, 0) as credited
    from aired full join credited using (unit_id, network, air_date)`,
)

/** A change of a makegood, as it is written. */
export interface WrittenChange {
  readonly makegood_id: string
  readonly order_id: string
  readonly seller: string
  readonly buyer_entity: string
  readonly change: MakegoodChange
  /** How many actions it had before. */
  readonly actions: number
  readonly product_ids: readonly string[]
  readonly due_at: string | null
  readonly now: string
  readonly sent?: SentAction | undefined
  /** The notice as a file. */
  readonly upload_id?: string | undefined
  /** Whether its run made the change, and so needs no wake. */
  readonly isOfRun: boolean
}

/**
 * Writes a change with its actions and credits, wakes the run unless that made it, and moves the order's revision for those who follow reconciliations. The caller holds the
 * lock of the order.
 */
export async function saveMakegood(tx: Tx, written: WrittenChange): Promise<void> {
  const { makegood_id, order_id, seller, buyer_entity, change, actions, product_ids, due_at, now, sent, upload_id, isOfRun } = written
  const { makegood, steps } = change
  const party = { makegood_id, order_id, seller, buyer_entity }
  const state: State = {
    ...{ status: makegood.status, version: makegood.version, offers: JSON.stringify(makegood.offers satisfies readonly MakegoodOffer[]) },
    agreed: makegood.agreed === null ? null : JSON.stringify(makegood.agreed satisfies AgreedMakegood),
    ...{ product_ids, expires_at: makegood.expires_at, due_at, now },
  }
  const missed = JSON.stringify(makegood.missed)
  if (actions === 0)
    await runOn(tx, INSERT.bind({ ...party, ...state, missed, agreed_outside: makegood.agreed_outside, notice_file: upload_id ?? null }))
  else await runOn(tx, UPDATE.bind({ makegood_id, ...state }))
  for (const [index, { note = null, ...step }] of steps.entries()) {
    const isOwn = step.side !== 'platform'
    const how = { request_key: (isOwn && sent?.key) || null, body_hash: (isOwn && sent?.body_hash) || null }
    await runOn(tx, STEP.bind({ ...party, ...step, ...how, note, n: actions + index + 1, now }))
  }
  for (const { date, ...credit } of makegood.credits satisfies readonly CreditedUnits[]) {
    const { unit_id, network, units, gross, broadcast_month } = credit
    await runOn(tx, CREDIT.bind({ ...party, unit_id, network, units, gross, broadcast_month, air_date: date }))
  }
  await runOn(tx, MOVE.bind({ order_id }))
  if (!isOfRun) await runOn(tx, WAKE.bind({ makegood_id }))
}

interface State {
  readonly status: MakegoodStatus
  readonly version: number
  readonly offers: string
  readonly agreed: string | null
  readonly product_ids: readonly string[]
  readonly expires_at: string | null
  readonly due_at: string | null
  readonly now: string
}

const STATE = ['status', 'version', 'offers', 'agreed', 'product_ids', 'expires_at', 'due_at'] as const
const PARTIES = ['makegood_id', 'order_id', 'seller', 'buyer_entity'] as const
const placeholders = (names: readonly string[]) => names.map((name) => `:${name}`).join(', ')

const BEGUN = [...PARTIES, ...STATE, 'missed', 'agreed_outside', 'notice_file'] as const

/** Writes a new makegood. */
const INSERT = statement(
  'insert-makegood',
  [...BEGUN, 'now'],
  `insert into makegoods (${BEGUN.join(', ')}, created_at, updated_at) values (${placeholders(BEGUN)}, :now, :now)`,
)

/** Writes the state of a makegood. */
const UPDATE = statement(
  'update-makegood',
  ['makegood_id', ...STATE, 'now'],
  `update makegoods set ${STATE.map((name) => `${name} = :${name}`).join(', ')}, followed = false, updated_at = :now where makegood_id = :makegood_id`,
)

const STEP_COLUMNS = [...PARTIES, 'n', 'action', 'side', 'actor', 'note', 'status', 'version', 'request_key'] as const

/** Writes an action. */
const STEP = statement(
  'insert-makegood-step',
  [...STEP_COLUMNS, 'body_hash', 'now'],
  `insert into makegood_steps (${STEP_COLUMNS.join(', ')}, body_hash, at) values (${placeholders(STEP_COLUMNS)}, decode(:body_hash, 'hex'), :now)`,
)

const CREDIT_COLUMNS = [...PARTIES, 'unit_id', 'air_date', 'network', 'units', 'gross', 'broadcast_month'] as const

/** Writes a credit. */
const CREDIT = statement(
  'insert-makegood-credit',
  CREDIT_COLUMNS,
  `insert into makegood_credits (${CREDIT_COLUMNS.join(', ')}) values (${placeholders(CREDIT_COLUMNS)})`,
)

/** Shows the change to those who follow reconciliations. */
const MOVE = statement(
  'move-reconciliation',
  ['order_id'],
  'update reconciliations set revision = revision + 1, changed_txid = feed_txid() where order_id = :order_id',
)

/** Wakes the run of a makegood. */
const WAKE = statement('wake-makegood', ['makegood_id'], `insert into outbox (kind, target) values ('makegood', :makegood_id)`)

/** Counts a makegood of a seller's day, in UTC. Returns false beyond the most that a day may have. */
export async function countMakegood(tx: Tx, seller: string, now: string): Promise<boolean> {
  const { rows } = await runOn<{ noticed: number }>(tx, COUNT.bind({ seller, day: now.slice(0, 10) }))
  return (rows[0]?.noticed ?? 0) <= MAKEGOODS_PER_DAY
}

/** Increments the count of a day, which the transaction locks. */
const COUNT = statement(
  'count-makegood',
  ['seller', 'day'],
  `insert into makegood_days (seller, day, noticed) values (:seller, :day, 1)
    on conflict (seller, day) do update set noticed = makegood_days.noticed + 1 returning noticed`,
)
