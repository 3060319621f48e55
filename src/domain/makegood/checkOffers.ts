import type { Fault } from '../../contract/errorEnvelope.ts'
import type { MakegoodOffer, MissedUnits, OfferMakegood } from '../../contract/makegood.ts'
import type { Product } from '../../contract/product.ts'
import { type Instant, type IsoDate, localDate, weekOf } from '../calendar.ts'
import { decimal, jsonNumber, sum } from '../decimal.ts'
import { airingOf, airsOn } from '../lines/allocation.ts'
import { checkDates } from '../lines/checkLine.ts'
import { invalid } from '../refusal.ts'
import { windowsByDate } from '../settlement/bookedSpots.ts'
import { costOfNext, spotKey } from './bookedOn.ts'
import { checkOnce } from './checkNotice.ts'
import { endOfDate } from './endOfDate.ts'
import { flightOf, type MakegoodFacts, type Spots } from './makegoodFacts.ts'

export interface AskedOffers {
  readonly missed: readonly MissedUnits[]
  readonly offers: readonly OfferMakegood[]
  readonly expires_at?: Instant | undefined
  /** Whether the parties have agreed already, perhaps on a date that has passed. */
  readonly agreed_outside?: boolean | undefined
}

export interface CheckedOffers {
  readonly faults: readonly Fault[]
  /** The offers with what the platform adds to them, if there are no faults. */
  readonly offers: readonly MakegoodOffer[]
  readonly expires_at: Instant | null
}

/**
 * Checks offers: the buyer may see the product, it airs on the date, in the flight or the agreement's dates, the length is priced, it replaces what the
 * notice names, and it costs no more than that. An offer expires at most at the end of the earliest air date.
 */
export function checkOffers(asked: AskedOffers, facts: MakegoodFacts, spots: Spots): CheckedOffers {
  const { missed, agreed_outside = false } = asked
  const offers = asked.offers.map((offer, index) => ({ ...offer, offer_id: offer.offer_id ?? String(index + 1) }))
  const products = new Map(facts.products.map((product) => [product.product_id, product]))
  const faults = offers.flatMap((offer, index) => {
    const at = `offers.${index}`
    const product = products.get(offer.product_id)
    if (product === undefined) return [invalid(`${at}.product_id`, `${offer.product_id} is not a product that this buyer may see.`)]
    const isRepeated = offers.findIndex(({ offer_id }) => offer_id === offer.offer_id) < index
    return [
      ...(isRepeated ? [invalid(`${at}.offer_id`, `${offer.offer_id} is the name of an earlier offer.`)] : []),
      ...checkDate(offer.date, product, facts, { field: `${at}.date`, mayHavePassed: agreed_outside }),
      ...(agreed_outside ? [] : checkPriced(offer, facts, `${at}.spot_length`)),
      ...checkReplaced(offer, missed, `${at}.replaces`),
      ...checkCost(offer, missed, facts, spots, `${at}.unit_cost`),
    ]
  })
  if (faults.length > 0) return { faults, offers: [], expires_at: null }
  const expiry = agreed_outside ? { faults: [], expires_at: null } : checkExpiry(asked.expires_at, offers, products, facts)
  return { ...expiry, offers: offers.map((offer) => wholeOffer(offer, missed, products.get(offer.product_id) as Product)) }
}

function checkDate(
  date: IsoDate,
  product: Product,
  { order, agreement, now }: MakegoodFacts,
  { field, mayHavePassed }: { field: string; mayHavePassed: boolean },
): Fault[] {
  const ranges = [flightOf(order), agreement?.effective].filter((range) => range !== undefined)
  if (!ranges.some(({ start, end }) => date >= start && date <= end)) {
    const told = ranges.map(({ start, end }) => `${start} to ${end}`).join(' or ')
    return [invalid(field, `${date} is outside the dates of the order and its agreement, ${told}.`)]
  }
  if (!mayHavePassed && date < localDate(now, product.definition.timezone)) return [invalid(field, `${date} has passed.`)]
  const unsold = checkDates(product, [date], field)
  if (unsold.length > 0 || airsOn(product, date)) return unsold
  return [invalid(field, `${product.product_id} does not air on ${date}; it airs on ${airingOf(product)}.`)]
}

function checkPriced({ product_id, date, spot_length }: OfferMakegood, { priced }: MakegoodFacts, field: string): Fault[] {
  const week = weekOf(date)
  const isPriced = priced.some((of) => of.product_id === product_id && of.week === week && of.spot_length === spot_length)
  return isPriced ? [] : [invalid(field, `${product_id} has no price for this buyer at ${spot_length} seconds in ${week}.`)]
}

function checkReplaced({ replaces }: OfferMakegood, missed: readonly MissedUnits[], field: string): Fault[] {
  if (replaces === undefined) return []
  const noticed = new Map(missed.map(({ unit_id, date, units }) => [spotKey(unit_id, date), units]))
  return [
    ...checkOnce(replaces, field),
    ...replaces.flatMap(({ unit_id, date, units }, index) => {
      const max = noticed.get(spotKey(unit_id, date))
      if (max === undefined) return [invalid(`${field}.${index}.date`, `The makegood is not for ${unit_id} on ${date}.`)]
      if (units <= max) return []
      return [
        {
          ...invalid(`${field}.${index}.units`, `The makegood is for ${max} units of ${unit_id} on ${date}.`),
          details: { maximum: max },
        },
      ]
    }),
  ]
}

/** Checks that what the seller's system prices an offer at is no more than the price of what it replaces, at which it is billed. */
function checkCost(offer: OfferMakegood, missed: readonly MissedUnits[], { order }: MakegoodFacts, spots: Spots, field: string): Fault[] {
  if (offer.unit_cost === undefined) return []
  const value = sum(
    (offer.replaces ?? missed).map(({ unit_id, date, units }) => {
      const booked = spots.booked(unit_id, date)
      if (booked === undefined || units > booked.units) return 0
      const { made_good, credited } = spots.account(unit_id, date)
      return units > booked.units - made_good - credited ? 0 : costOfNext(booked, made_good + credited, units)
    }),
  )
  const asked = decimal(offer.unit_cost).times(decimal(offer.units))
  if (asked.lte(value)) return []
  const message = `The offer comes to ${jsonNumber(asked)} ${order.facts.currency}, and what it replaces to ${jsonNumber(value)}: it may not cost more.`
  return [{ ...invalid(field, message), details: { maximum: jsonNumber(value) } }]
}

function checkExpiry(
  asked: Instant | undefined,
  offers: readonly OfferMakegood[],
  products: ReadonlyMap<string, Product>,
  { now }: MakegoodFacts,
): Pick<CheckedOffers, 'faults' | 'expires_at'> {
  const ends = offers.map(({ product_id, date }) => endOfDate(date, products.get(product_id)?.definition.timezone)).sort()
  const [last = now] = ends
  const field = 'expires_at'
  if (asked === undefined) return { faults: [], expires_at: last }
  if (asked <= now) return { faults: [invalid(field, `${asked} has passed.`)], expires_at: null }
  if (asked > last) return { faults: [invalid(field, `${asked} is after the end of the earliest air date, ${last}.`)], expires_at: null }
  return { faults: [], expires_at: asked }
}

function wholeOffer(offer: OfferMakegood & { offer_id: string }, missed: readonly MissedUnits[], product: Product): MakegoodOffer {
  const { replaces = missed.map(({ unit_id, date, units }) => ({ unit_id, date, units })), ...rest } = offer
  const windows = windowsByDate(product, [offer.date])(offer.date)
  return { ...rest, network: product.network, windows, replaces }
}
