import type { Fault } from '../../contract/errorEnvelope.ts'
import type { EntryError } from '../../contract/product.ts'
import { addTo } from '../addTo.ts'
import { refuseIfAny } from '../refusal.ts'
import { type CatalogRoom, withinRoom } from './catalogRoom.ts'
import type { CatalogTerms } from './productTerms.ts'
import { byIndex, entryName, invalidEntry, type NameOfEntry, type Parsed, type Staged, unknownProduct } from './staged.ts'

/** A product of the current catalog. */
export interface KnownProduct {
  readonly product_id: string
  readonly external_ref: string | null
  /** Whether it is withdrawn; if omitted, it is not. */
  readonly withdrawn?: boolean
}

/**
 * Checks the products of a catalog PUT, which merge into the known catalog by product_id. A refused entry leaves its product unchanged. Without
 * `room` the catalog is unbounded. Refuses the whole PUT with DUPLICATE_EXTERNAL_REF (422) if two products of the result share a reference
 * (contract, One write model).
 */
export function stageCatalog<P extends CatalogTerms>(
  known: readonly KnownProduct[],
  products: readonly Parsed<P>[],
  room?: CatalogRoom,
  nameOf: NameOfEntry = entryName,
): Staged<Parsed<P>> {
  const once = withoutRepeats(
    products.map(({ index, value }) => ({ index, value: tidy(value) })),
    nameOf,
  )
  const fitting = room === undefined ? { kept: once.kept, errors: [] } : withinRoom(once.kept, withdrawnOf(known), room)
  const mirrored = withKnownMirrors(known, fitting.kept)
  refuseIfAny(sharedRefs(known, mirrored.kept))
  return { accepted: mirrored.kept, errors: [...once.errors, ...fitting.errors, ...mirrored.errors].sort(byIndex), warnings: [] }
}

function withdrawnOf(known: readonly KnownProduct[]): Map<string, { withdrawn: boolean }> {
  return new Map(known.map(({ product_id, withdrawn = false }) => [product_id, { withdrawn }]))
}

interface Sifted<P> {
  kept: Parsed<P>[]
  errors: EntryError[]
}

function withoutRepeats<P extends CatalogTerms>(products: readonly Parsed<P>[], nameOf: NameOfEntry): Sifted<P> {
  const first = new Map<string, number>()
  const sifted: Sifted<P> = { kept: [], errors: [] }
  for (const product of products) {
    const { product_id } = product.value
    const earlier = first.get(product_id)
    if (earlier === undefined) {
      first.set(product_id, product.index)
      sifted.kept.push(product)
    } else {
      sifted.errors.push(invalidEntry(product.index, 'product_id', product_id, `${product_id} is already in ${nameOf(earlier)}.`))
    }
  }
  return sifted
}

/** Checks that a mirror exists in the resulting catalog. Refusing a new product also refuses the products that mirror it. */
function withKnownMirrors<P extends CatalogTerms>(known: readonly KnownProduct[], products: readonly Parsed<P>[]): Sifted<P> {
  if (!products.some(({ value }) => value.mirror_product_id !== undefined)) return { kept: [...products], errors: [] }
  const inCatalog = new Set(known.map(({ product_id }) => product_id))
  const sent = new Set(products.map(({ value }) => value.product_id))
  const mirroring = new Map<string, Parsed<P>[]>()
  for (const product of products) {
    const { mirror_product_id: mirror } = product.value
    if (mirror !== undefined) addTo(mirroring, mirror, product)
  }
  const errors = new Map<number, EntryError>()
  const refuse = (product: Parsed<P>, error: EntryError): Parsed<P>[] => {
    if (errors.has(product.index)) return []
    errors.set(product.index, error)
    const { product_id } = product.value
    return inCatalog.has(product_id) ? [] : (mirroring.get(product_id) ?? [])
  }
  const orphaned = products.flatMap((product) => {
    const { product_id, mirror_product_id: mirror } = product.value
    if (mirror === undefined) return []
    if (mirror === product_id)
      return refuse(product, invalidEntry(product.index, 'mirror_product_id', mirror, 'mirror_product_id must not be the product itself.'))
    return inCatalog.has(mirror) || sent.has(mirror) ? [] : refuse(product, unknownMirror(product))
  })
  for (let next = orphaned.pop(); next !== undefined; next = orphaned.pop()) orphaned.push(...refuse(next, unknownMirror(next)))
  return { kept: products.filter(({ index }) => !errors.has(index)), errors: [...errors.values()] }
}

function unknownMirror({ index, value }: Parsed<CatalogTerms>): EntryError {
  return unknownProduct(index, value.mirror_product_id ?? '', 'mirror_product_id')
}

/** Returns a fault for each external_ref that two products of the result share, with their ids (contract, Special codes: DUPLICATE_EXTERNAL_REF). */
function sharedRefs(known: readonly KnownProduct[], products: readonly Parsed<CatalogTerms>[]): Fault[] {
  const refs = new Map(known.map(({ product_id, external_ref }) => [product_id, external_ref]))
  for (const { value } of products) refs.set(value.product_id, value.external_ref ?? null)
  const firstOf = new Map<string, string>()
  const sharing = new Map<string, string[]>()
  for (const [product_id, external_ref] of refs) {
    if (external_ref === null) continue
    if (firstOf.has(external_ref)) addTo(sharing, external_ref, product_id)
    else firstOf.set(external_ref, product_id)
  }
  if (sharing.size === 0) return []
  const indexOf = new Map(products.map(({ index, value }) => [value.product_id, index]))
  return [...sharing].map(([external_ref, others]) => {
    const product_ids = [firstOf.get(external_ref) as string, ...others]
    const index = product_ids.map((product_id) => indexOf.get(product_id)).findLast((index) => index !== undefined)
    return {
      error_code: 'DUPLICATE_EXTERNAL_REF' as const,
      field: `products.${index}.external_ref`,
      message: `${product_ids.join(' and ')} share the external_ref ${external_ref}, which must be unique in a catalog.`,
      details: { external_ref, product_ids },
    }
  })
}

/** Removes repeated values: lists are sets. Returns a product without any as it is, so that a large catalog is held once. */
export function tidy<P extends Pick<CatalogTerms, (typeof LISTS)[number]>>(product: P): P {
  const repeating = LISTS.filter((name) => hasRepeats(product[name]))
  if (repeating.length === 0) return product
  return Object.assign({}, product, Object.fromEntries(repeating.map((name) => [name, [...new Set<unknown>(product[name])]])))
}

const LISTS = ['currencies', 'buy_types', 'grains', 'reporting_dayparts', 'spot_lengths', 'advertiser_classes'] as const

function hasRepeats(values: readonly unknown[] = []): boolean {
  return new Set(values).size < values.length
}
