import type { Logger } from 'pino'
import { dateOf } from '../../../src/domain/calendar.ts'
import { grantsTo } from '../../../src/local/sandbox/agreements.ts'
import { PARTIES } from '../../../src/local/sandbox/habits.ts'
import { listAgreements } from '../../../src/store/tenants/agreements.ts'
import { newestCredential } from '../../../src/store/tenants/personas.ts'
import type { Caller } from '../../http/call.ts'
import type { Deps } from '../../http/handler.ts'
import { scopedTo } from '../../signIn/scopedTo.ts'
import { carriedOut } from './carriedOut.ts'
import { isSandbox } from './mode.ts'

/** Called before a read of a buyer is served. Never fails. */
export type Greet = (caller: Pick<Caller, 'entity'>) => Promise<void>

/** How many buyers are remembered as known; the agreements of a forgotten one are looked at again. */
const REMEMBERED = 10_000
/** How long it is remembered that the sandbox has no such sellers. */
const ABSENT_MS = 60_000

/**
 * Has the sellers of the sandbox grant a buyer its agreements, and one suspend it, in a run of its own that its first read waits for, for ten seconds at
 * the most; undefined in production. The parties themselves need none.
 */
export function greetBuyers(deps: Deps, log: Pick<Logger, 'warn'>): Greet | undefined {
  if (!isSandbox(deps)) return undefined
  const known = new Map<string, Promise<void>>()
  let absentUntil = 0
  const greet = async (buyer: string): Promise<void> => {
    if (!(await hasBeenGreeted(deps, buyer)) && !(await grant(deps, buyer, log))) {
      absentUntil = Date.now() + ABSENT_MS
      known.delete(buyer)
    }
  }
  return async ({ entity }) => {
    if (Object.hasOwn(PARTIES, entity)) return
    const first = known.get(entity)
    if (first !== undefined) return first
    if (Date.now() < absentUntil) return
    if (known.size >= REMEMBERED) known.clear()
    const greeting = greet(entity).catch((err) => {
      log.warn({ err, tenant: entity }, 'a buyer of the sandbox has no agreements yet')
      known.delete(entity)
    })
    known.set(entity, greeting)
    return greeting
  }
}

async function hasBeenGreeted(deps: Deps, buyer_entity: string): Promise<boolean> {
  const { db } = scopedTo(deps, buyer_entity)
  const inForceOn = dateOf(new Date().toISOString())
  const known = await listAgreements(db, { buyer_entity, inForceOn, after: undefined, limit: 200 })
  return wanted(buyer_entity).every(({ agreement_id }) => known.some((each) => each.agreement_id === agreement_id))
}

/** Returns false where there are no sellers that grant. */
async function grant(deps: Deps, tenant: string, log: Pick<Logger, 'warn'>): Promise<boolean> {
  const sellers = [...new Set(wanted(tenant).map(({ seller }) => seller))]
  for (const seller of sellers) if ((await newestCredential(deps.db, seller)) === undefined) return false
  const { db } = scopedTo(deps, tenant)
  const outcome = await carriedOut(db, { request_id: `agreements:${tenant}`, kind: 'agreements', tenant, body: null })
  if (outcome?.error !== undefined) log.warn({ tenant, error: outcome.error }, 'a buyer of the sandbox was refused its agreements')
  return true
}

function wanted(buyer: string) {
  return grantsTo(buyer, new Date().getUTCFullYear())
}
