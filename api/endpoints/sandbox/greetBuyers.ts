import type { Logger } from 'pino'
import { RELATIONS } from '../../../src/contract/endpoints/relations.ts'
import { dateOf } from '../../../src/domain/calendar.ts'
import { grantsTo } from '../../../src/local/sandbox/agreements.ts'
import type { Party } from '../../../src/local/sandbox/habits.ts'
import { listAgreements } from '../../../src/store/tenants/agreements.ts'
import type { Caller } from '../../http/call.ts'
import type { Deps } from '../../http/handler.ts'
import { route } from '../../http/route.ts'
import { scopedTo } from '../../signIn/scopedTo.ts'
import { putAgreement, putBuyer } from '../seller/agreements.ts'
import { asParty } from './asParty.ts'
import { isSandbox } from './mode.ts'

/** Called before a read of a buyer is served. Never fails. */
export type Greet = (caller: Pick<Caller, 'entity'>) => Promise<void>

/** How many buyers are remembered as known; the agreements of a forgotten one are looked at again. */
const REMEMBERED = 10_000
/** How long it is remembered that the sandbox has no such sellers. */
const ABSENT_MS = 60_000

const GRANT = route(RELATIONS.grantAgreement, putAgreement)
const SUSPEND = route(RELATIONS.putBuyer, putBuyer)

/** Has the sellers of the sandbox grant a buyer its agreements, and one suspend it, before its first read is served; undefined in production. */
export function greetBuyers(deps: Deps, log: Pick<Logger, 'warn'>): Greet | undefined {
  if (!isSandbox(deps)) return undefined
  const known = new Map<string, Promise<void>>()
  let absentUntil = 0
  const greet = async (buyer: string): Promise<void> => {
    if (!(await hasBeenGreeted(deps, buyer)) && !(await grant(deps, buyer))) {
      absentUntil = Date.now() + ABSENT_MS
      known.delete(buyer)
    }
  }
  return async ({ entity }) => {
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

async function grant(deps: Deps, buyer: string): Promise<boolean> {
  for (const { seller, agreement_id, agreement } of wanted(buyer)) {
    const act = await asParty(deps, seller)
    if (act === undefined) return false
    await act(GRANT, { params: { agreement_id }, body: agreement })
  }
  const suspend = await asParty(deps, 'seller-suspends-you' satisfies Party)
  await suspend?.(SUSPEND, { params: { buyer_entity: buyer }, body: { status: 'suspended' } })
  return true
}

function wanted(buyer: string) {
  return grantsTo(buyer, new Date().getUTCFullYear())
}
