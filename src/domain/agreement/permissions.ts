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
 * Each permission is the union across a buyer's agreements in force with one seller; without any there is no restriction (spec, Agreement).
 * What comes of it narrows what a product sells by intersection and never widens it.
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

/** What of a product's own words is left. */
export function narrowed<Word>(sold: readonly Word[], permitted: ReadonlySet<Word> | undefined): Word[] {
  return permitted === undefined ? [...sold] : sold.filter((word) => permitted.has(word))
}
