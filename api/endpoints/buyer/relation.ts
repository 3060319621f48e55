import type { Agreement } from '../../../src/contract/agreement.ts'
import { type Overrides, overridesOf } from '../../../src/domain/agreement/disclosure.ts'
import { Refusal } from '../../../src/domain/refusal.ts'
import type { Reading } from '../../../src/store/connection/snapshot.ts'
import { agreementsBetween } from '../../../src/store/tenants/agreementsBetween.ts'

/** The relation between a buyer and a seller, for one read. */
export interface Relation {
  /** Every agreement in force between the two; each unlocks products even if it is not presented. */
  readonly agreements: readonly Agreement[]
  /** The presented agreement, whose scoped cards the read includes. */
  readonly presented: string | undefined
  /** The overrides of the presented agreement, or else of the only one (choices, Presenting an agreement). */
  readonly overrides: Overrides
}

/** Returns a buyer's relation to a seller. NOT_FOUND if the presented agreement is not in force between the two. */
export async function relationOf(db: Pick<Reading, 'pool'>, seller: string, buyer: string, presented?: string): Promise<Relation> {
  const agreements = await agreementsBetween(db, buyer, seller, new Date().toISOString().slice(0, 10))
  if (presented !== undefined && !agreements.some(({ agreement_id }) => agreement_id === presented)) {
    throw new Refusal('NOT_FOUND', 'There is no such agreement.')
  }
  return { agreements, presented, overrides: overridesOf(agreements, presented) }
}
