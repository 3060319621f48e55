import type pg from 'pg'
import type { DatedMember } from '../../domain/order/family.ts'
import type { OrderHead } from '../../domain/order/head.ts'
import type { OrderState } from '../../domain/order/state.ts'
import { Refusal } from '../../domain/refusal.ts'
import type { Tx } from '../connection/database.ts'
import { beginLocked } from '../connection/lockedTransaction.ts'
import { withCounterparty } from '../connection/tenantScope.ts'
import { txOn } from '../connection/txOn.ts'
import { appendEvents } from './appendEvents.ts'
import type { Append, Command, Lock } from './command.ts'
import { familyLock, lockMembers, readFamily } from './families.ts'
import { type Loaded, loadOrders, loadTogether } from './loadOrders.ts'

/** An order that is open for a change. Whoever opened it closes it, whatever happens. */
export interface OpenOrder extends Appendable {
  /** What its transaction holds; undefined without one: the append is then the only statement, and takes the lock itself. */
  readonly held: Held | undefined
  commit(): Promise<void>
  /** Undoes what was not committed. */
  close(): Promise<void>
}

/** An order as it was loaded, to which events can be appended. */
export interface Appendable extends Readonly<Loaded> {
  append(append: Append): Promise<Appended>
}

/** `moved`: the order is not where it was loaded, or is to be placed in a family. Nothing is written, and the lock must be held for it. */
export type Appended = { kind: 'appended'; head: OrderHead } | { kind: 'moved' }

/** What a transaction holds in addition to its order. */
export interface Held {
  /** The transaction for everything else that becomes true with the events. */
  readonly tx: Tx
  /** Returns the order's family, locked against other placements and additions; empty if it has none. */
  family(): Promise<DatedMember[]>
  /** Loads other members of the family for writing. Call it before the first write. */
  take(orderIds: readonly string[]): Promise<Appendable[]>
}

/** Where orders are opened, whom to notify after a commit that left something in the outbox, and the trace of an event, if any. */
export interface Opening {
  readonly pool: pg.Pool
  readonly notify: () => void
  readonly trace: () => string | undefined
}

/** Opens an order for a command. Errors: Refusal NOT_FOUND. */
export function openOrder(opening: Opening, orderId: string, lock: Lock, command?: Command): Promise<OpenOrder> {
  return lock === 'held' ? openHeld(opening, orderId, command) : openOptimistic(opening, orderId, command)
}

/** Loads in one statement with concurrent commands. */
async function openOptimistic({ pool, notify, trace }: Opening, orderId: string, command?: Command): Promise<OpenOrder> {
  const loaded = existing(await loadTogether(pool, { orderId, command }))
  let woke = false
  return {
    ...loaded,
    held: undefined,
    async append(append) {
      const parties = withCounterparty(pool, partiesOf(append.after))
      const appended = await appendEvents(parties, 'alone', append, { lastHash: loaded.last_hash, trace: trace() })
      if (appended.kind === 'appended' && appended.woke) woke = true
      return appended
    },
    async commit() {
      if (woke) notify()
    },
    async close() {},
  }
}

/** Holds the locks of the order and of its family from before the order is loaded. */
export async function openHeld({ pool, notify, trace }: Opening, orderId: string, command?: Command): Promise<OpenOrder & { held: Held }> {
  const transaction = await beginLocked(pool, familyLock(orderId))
  const { client } = transaction
  try {
    const [found] = await loadOrders(client, [{ orderId, command }])
    const loaded = existing(found)
    const parties = withCounterparty(client, partiesOf(loaded.order))
    let woke = false
    const appendable = (member: Loaded): Appendable => {
      let lastHash = member.last_hash
      return {
        ...member,
        async append(append) {
          const appended = await appendEvents(parties, 'locked', append, { lastHash, trace: trace() })
          if (appended.kind === 'moved') return appended
          lastHash = appended.lastHash
          if (appended.woke) woke = true
          return appended
        },
      }
    }
    const held: Held = {
      tx: txOn(parties),
      family: async () => (await readFamily(client, orderId)) ?? [],
      async take(orderIds) {
        if (orderIds.length === 0) return []
        await lockMembers(client, orderIds)
        const members = await loadOrders(
          client,
          orderIds.map((id) => ({ orderId: id })),
        )
        return members.map((member) => appendable(existing(member)))
      },
    }
    return {
      ...appendable(loaded),
      held,
      async commit() {
        await transaction.commit()
        if (woke) notify()
      },
      close: transaction.close,
    }
  } catch (error) {
    await transaction.close()
    throw error
  }
}

/** Returns the tenants whose feeds and endpoints receive an event. */
function partiesOf({ request, facts }: OrderState): string[] {
  return [request.seller, facts.buyer_entity]
}

function existing(loaded: Loaded | undefined): Loaded {
  if (loaded === undefined) throw new Refusal('NOT_FOUND', 'There is no such order.')
  return loaded
}
