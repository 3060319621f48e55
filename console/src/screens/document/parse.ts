import type { Order } from '../../api/queries/orders.ts'

export type Parse = Extract<Order['artifacts'][number], { name: 'document_parse' }>
export type Line = Parse['lines'][number]
export type Unresolved = Parse['unresolved'][number]
export type Question = NonNullable<Parse['questions']>[number]
/** A total of the document as an equation. */
export type Equation = NonNullable<Parse['proof']>['equations'][number]

/** Returns the latest reading of an order's document. */
export function parseOf({ artifacts }: Order): Parse | undefined {
  return artifacts.findLast((artifact): artifact is Parse => artifact.name === 'document_parse')
}

/** Returns the member of a resolution that resolves this value; undefined if only leaving the line out, or a new document, can fix it. */
export function memberOf({ field }: Pick<Unresolved, 'field'>): 'product_id' | 'period' | 'units' | 'locked_rate_id' | undefined {
  if (field.startsWith('product')) return 'product_id'
  if (field.startsWith('period')) return 'period'
  if (field.startsWith('units') || field.startsWith('impressions')) return 'units'
  return PRICED.some((member) => field.startsWith(member)) ? 'locked_rate_id' : undefined
}

/** What a chosen price brings with it. */
const PRICED = ['rate', 'spot_length', 'buy_type', 'market_class', 'advertiser_class', 'clearance_tier']

/** Returns the published candidates for a value, each with its id and a label. */
export function optionsOf({ published }: Unresolved): { value: string; label: string }[] {
  return published.flatMap((one) => {
    const { locked_rate_id, product_id, title, name, network, gross_rate_unit, gross_rate_cpm, currency, spot_length, buy_type } =
      one as Record<string, unknown>
    const value = locked_rate_id ?? product_id
    if (typeof value !== 'string') return []
    const amount = gross_rate_unit ?? gross_rate_cpm
    const words =
      locked_rate_id === undefined
        ? [title ?? name ?? product_id, network, title === undefined && name === undefined ? undefined : product_id]
        : [
            `${currency} ${amount}${gross_rate_unit === undefined ? ' cpm' : ''}`,
            spot_length && `${spot_length} s`,
            String(buy_type ?? '').replaceAll('_', ' '),
          ]
    return [{ value, label: words.filter(Boolean).join(', ') }]
  })
}

/** Names lines in few words: `lines 1, 2, 5 and 9 more`. */
export function linesText(lines: readonly number[]): string {
  if (lines.length === 0) return 'no line'
  const shown = lines.slice(0, SHOWN).join(', ')
  const more = lines.length > SHOWN ? ` and ${lines.length - SHOWN} more` : ''
  return `${lines.length === 1 ? 'line' : 'lines'} ${shown}${more}`
}

const SHOWN = 6
