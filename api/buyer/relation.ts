import type { DisclosureOverride } from '../../src/domain/agreement/disclosure.ts'
import type { Unlocks } from '../../src/domain/agreement/visibleProducts.ts'
import { Refusal } from '../../src/domain/refusal.ts'
import type { Deps } from '../endpoint.ts'

/** What holds between a buyer and a seller, for one read. */
export interface Relation {
  /** Every agreement in force between the two: they unlock products whether presented or not. */
  readonly agreements: readonly Unlocks[]
  /** The agreement presented, whose scoped cards the read sees. */
  readonly presented: string | undefined
  readonly overrides: readonly DisclosureOverride[]
}

/** The relation of a buyer to a seller; NOT_FOUND when the agreement presented is none of theirs. No agreements are kept yet. */
export async function relationOf(_deps: Pick<Deps, 'db'>, _seller: string, _buyer: string, presented?: string): Promise<Relation> {
  if (presented !== undefined) throw new Refusal('NOT_FOUND', 'There is no such agreement.')
  return { agreements: [], presented: undefined, overrides: [] }
}
