import type { SpotUnits } from '../../contract/makegood.ts'
import { spotKey } from './bookedOn.ts'
import { isOpen, type MakegoodState } from './makegoodState.ts'

/** What became of the units of a line and date that their seller said do not air. */
export interface SpotAccount {
  /** All of them, but for those of recalled makegoods. */
  missed: number
  /** Replaced by an agreed makegood. */
  made_good: number
  credited: number
  /** Neither: those that wait for a party, and those whose makegood was declined, expired or replaced fewer. */
  open: number
  /** The open ones that still wait for a party: no second makegood may be about them. */
  waiting: number
}

/** What a makegood counts for. */
export interface CountedMakegood extends Pick<MakegoodState, 'status' | 'expires_at'> {
  readonly missed: readonly SpotUnits[]
  readonly agreed: { readonly replaces: readonly SpotUnits[] } | null
  readonly credits: readonly SpotUnits[]
}

/**
 * Returns the account of each line and date, from makegoods in any order: missed = made good + credited + open, per spot. A unit that is
 * noticed again after its makegood was declined is missed twice, and open once for each.
 */
export function accountsOf(
  makegoods: readonly Pick<CountedMakegood, 'status' | 'missed' | 'agreed' | 'credits'>[],
): ReadonlyMap<string, SpotAccount> {
  const accounts = new Map<string, SpotAccount>()
  for (const makegood of makegoods) {
    if (makegood.status === 'recalled') continue
    const replaced = countOf(makegood.agreed?.replaces ?? [])
    const credited = countOf(makegood.credits)
    for (const { unit_id, date, units } of makegood.missed) {
      const key = spotKey(unit_id, date)
      const account = accounts.get(key) ?? { ...NO_ACCOUNT }
      const [good, back] = [replaced.get(key) ?? 0, credited.get(key) ?? 0]
      account.missed += units
      account.made_good += good
      account.credited += back
      account.open += units - good - back
      if (isOpen(makegood)) account.waiting += units
      accounts.set(key, account)
    }
  }
  return accounts
}

export const NO_ACCOUNT: Readonly<SpotAccount> = { missed: 0, made_good: 0, credited: 0, open: 0, waiting: 0 }

function countOf(entries: readonly SpotUnits[]): Map<string, number> {
  return new Map(entries.map(({ unit_id, date, units }) => [spotKey(unit_id, date), units]))
}
