import type { BuyType, Grain } from '../../contract/vocabulary.ts'

/** The part of an agreement that restricts what may be bought. An omitted or empty set restricts nothing. */
export interface PermittedSets {
  readonly permitted_buy_types?: readonly BuyType[] | undefined
  readonly permitted_grains?: readonly Grain[] | undefined
}

/** What a buyer may buy of a seller; undefined restricts nothing. */
export interface Permissions {
  readonly buy_types: ReadonlySet<BuyType> | undefined
  readonly grains: ReadonlySet<Grain> | undefined
}

/**
 * Returns the union of each permission across a buyer's agreements in force with one seller; without agreements nothing is restricted
 * (contract, Agreement). The result is intersected with what a product sells, so it never adds options.
 */
export function permissionsOf(agreements: readonly PermittedSets[]): Permissions {
  return {
    buy_types: union(agreements.map(({ permitted_buy_types }) => permitted_buy_types)),
    grains: union(agreements.map(({ permitted_grains }) => permitted_grains)),
  }
}

function union<Word>(sets: readonly (readonly Word[] | undefined)[]): ReadonlySet<Word> | undefined {
  if (sets.length === 0 || sets.some((set) => set === undefined || set.length === 0)) return undefined
  return new Set(sets.flatMap((set) => set ?? []))
}

/** Returns the values of a product that the buyer may use. */
export function narrowed<Word>(sold: readonly Word[], permitted: ReadonlySet<Word> | undefined): Word[] {
  return permitted === undefined ? [...sold] : sold.filter((word) => permitted.has(word))
}
