import type { Order } from '../../api/queries/orders.ts'
import type { Resolution } from '../../order/buyerActs.ts'
import { mondayOf } from '../../ui/Period.tsx'

export type Parse = Extract<Order['artifacts'][number], { name: 'document_parse' }>
export type Unresolved = Parse['unresolved'][number]

/** The choices for unresolved values, by `choiceKey`. */
export type Choices = Readonly<Record<string, string>>

/** Returns the latest reading of an order's document. */
export function parseOf({ artifacts }: Order): Parse | undefined {
  return artifacts.findLast((artifact): artifact is Parse => artifact.name === 'document_parse')
}

export function choiceKey({ line, field }: Unresolved): string {
  return `${line} ${field}`
}

/** Returns the member of a resolution that resolves this value; undefined if only a new document can fix it. */
export function memberOf({ field }: Unresolved): 'product_id' | 'period' | 'units' | 'locked_rate_id' | undefined {
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
    const { locked_rate_id, product_id, name, network, gross_rate_unit, gross_rate_cpm, currency, spot_length, buy_type } = one as Record<
      string,
      unknown
    >
    const value = locked_rate_id ?? product_id
    if (typeof value !== 'string') return []
    const amount = gross_rate_unit ?? gross_rate_cpm
    const words =
      locked_rate_id === undefined
        ? [product_id, name, network]
        : [
            `${currency} ${amount}${gross_rate_unit === undefined ? ' cpm' : ''}`,
            spot_length && `${spot_length} s`,
            String(buy_type ?? '').replaceAll('_', ' '),
          ]
    return [{ value, label: words.filter(Boolean).join(', ') }]
  })
}

/** A total of the document as an equation. */
export type Equation = NonNullable<Parse['proof']>['equations'][number]

/**
 * Returns what a total needs: nothing if it ties, `required` to be acknowledged if not, or `possible` while some of its lines are unresolved, since
 * what is chosen for them changes what they come to.
 */
export function needOf({ ties, lines }: Equation, { unresolved }: Parse): 'nothing' | 'possible' | 'required' {
  if (unresolved.some(({ line }) => lines === undefined || lines.includes(line))) return 'possible'
  return ties ? 'nothing' : 'required'
}

export function isAcknowledged({ equation_id }: Equation, choices: Choices): boolean {
  return choices[equation_id] === ACKNOWLEDGED
}

export function withAcknowledged({ equation_id }: Equation, choices: Choices, isOn: boolean): Choices {
  return { ...choices, [equation_id]: isOn ? ACKNOWLEDGED : '' }
}

const ACKNOWLEDGED = 'acknowledged'

/** Returns the ids of the totals that the buyer acknowledges, for a confirm. */
export function acknowledgeOf({ proof }: Parse, choices: Choices): string[] {
  return (proof?.equations ?? []).filter((one) => isAcknowledged(one, choices)).map(({ equation_id }) => equation_id)
}

/** Lists what keeps the document from being confirmed: values to resolve, and totals to acknowledge. */
export function faultsOf(parse: Parse, choices: Choices): string[] {
  const totals = (parse.proof?.equations ?? []).filter((one) => needOf(one, parse) === 'required' && !isAcknowledged(one, choices))
  return [...unresolvedOf(parse, choices), ...totals.map(({ of, cells }) => `the ${of} at ${cells[0]}, which does not tie`)]
}

function unresolvedOf({ unresolved }: Parse, choices: Choices): string[] {
  return unresolved.flatMap((value) => (isResolved(value, choices) ? [] : [`line ${value.line}, ${value.field}`]))
}

/** Whether something is chosen for a value that can be ordered. */
export function isResolved(value: Unresolved, choices: Choices): boolean {
  const chosen = choices[choiceKey(value)] ?? ''
  const member = memberOf(value)
  if (member === 'period') return periodOf(chosen) !== undefined
  return member === 'units' ? Number(chosen) >= 1 && Number.isInteger(Number(chosen)) : chosen !== ''
}

/** Returns the resolutions that a confirm sends: one entry for each line with a choice. */
export function resolutionsOf({ unresolved }: Parse, choices: Choices): Resolution[] {
  const lines = new Map<number, Resolution>()
  for (const value of unresolved) {
    const [member, chosen] = [memberOf(value), choices[choiceKey(value)]]
    if (member === undefined || chosen === undefined || chosen === '') continue
    const before = lines.get(value.line) ?? { line: value.line }
    lines.set(value.line, { ...before, ...chosenMember(member, chosen) })
  }
  return [...lines.values()]
}

function chosenMember(member: NonNullable<ReturnType<typeof memberOf>>, chosen: string): Partial<Resolution> {
  if (member === 'units') return { units: Number(chosen) }
  if (member !== 'period') return { [member]: chosen }
  const period = periodOf(chosen)
  return period === undefined ? {} : { period }
}

function periodOf(text: string): Resolution['period'] {
  if (mondayOf(text) !== undefined) return { grain: 'week', start: text }
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return { grain: 'day', start: text }
  return /^\d{4}-\d{2}$/.test(text) ? { grain: 'month', start: text } : undefined
}
