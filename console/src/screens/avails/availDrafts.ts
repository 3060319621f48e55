import type { Avail, Product } from '../../api/queries/publishing.ts'
import type { HeatCell } from '../../ui/HeatMap.tsx'

export function keyOf(product: string, start: string): string {
  return `${product} ${start}`
}

export function byPeriod(avails: readonly Avail[]): ReadonlyMap<string, Avail> {
  return new Map(avails.map((avail) => [keyOf(avail.product_id, avail.period.start), avail]))
}

export function leftOf({ spots, units }: Avail): number | undefined {
  return (spots ?? units)?.available
}

/** Returns a cell of the map. Its text is either the sold share or the remaining count; its color is always the sold share. */
export function cellText(
  product: string,
  start: string,
  avail: Avail | undefined,
  by: 'sellout' | 'count',
  isAsked: boolean,
): HeatCell | undefined {
  const asked = isAsked ? ', a buyer asks' : ''
  if (avail === undefined)
    return isAsked ? { text: '', level: 0, label: `${product} ${start}: nothing published${asked}`, mark: true } : undefined
  const { state, sellout_level: sold } = avail
  const left = leftOf(avail)
  const words = [
    ...(state === 'available' ? [] : [state]),
    ...(sold === undefined ? [] : [`${percent(sold)} sold`]),
    ...(left === undefined ? [] : [`${left} left`]),
  ]
  const text = by === 'sellout' ? (sold === undefined ? '·' : percent(sold)) : String(left ?? '·')
  return {
    text: state === 'unavailable' ? 'off' : text,
    level: state === 'unavailable' ? 0 : (sold ?? 0),
    label: `${product} ${start}: ${words.join(', ')}${asked}`,
    mark: isAsked,
  }
}

export function percent(level: number): string {
  return `${Math.round(level * 1000) / 10}%`
}

export interface AvailDraft {
  readonly state: Avail['state']
  readonly sellout: string
  readonly count: string
}

export function draftOf(avail: Avail | undefined): AvailDraft {
  return {
    state: avail?.state ?? 'available',
    sellout: avail?.sellout_level === undefined ? '' : String(Math.round(avail.sellout_level * 1000) / 10),
    count: String((avail && leftOf(avail)) ?? ''),
  }
}

/** Builds the avail to publish: the edits over the published avail. A text that is not a number is sent, so that the API says so. */
export function availOf(product: Product, start: string, published: Avail | undefined, draft: AvailDraft): object {
  const { sellout_level: _, spots: __, units: ___, ...rest } = published ?? {}
  return {
    ...rest,
    product_id: product.product_id,
    period: { grain: grainOf(start), start },
    state: draft.state,
    ...(draft.sellout.trim() !== '' && { sellout_level: levelOf(draft.sellout) }),
    ...(draft.count.trim() !== '' && { [countOf(product)]: { available: numberOr(draft.count) } }),
  }
}

/** Products that are sold only by guaranteed audience count units; all others count spots. */
export function countOf(product: Product): 'spots' | 'units' {
  const buyTypes = (product as { buy_types?: string[] }).buy_types ?? []
  return buyTypes.every((buyType) => buyType === 'audience_guaranteed') ? 'units' : 'spots'
}

function levelOf(text: string): number | string {
  const value = numberOr(text.replace('%', ''))
  return typeof value === 'number' ? Math.round(value * 10) / 1000 : text
}

function numberOr(text: string): number | string {
  const value = Number(text)
  return Number.isFinite(value) ? value : text
}

export function grainOf(start: string): 'day' | 'week' | 'month' {
  if (start.includes('W')) return 'week'
  return start.length > 7 ? 'day' : 'month'
}

/** Whether two avails are equal, regardless of the order of their members. */
export function isSame(a: object | null | undefined, b: object | null | undefined): boolean {
  return JSON.stringify(sorted(a ?? null)) === JSON.stringify(sorted(b ?? null))
}

function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(sorted)
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, sorted(inner)]),
  )
}
