import type { WeekPrice } from './grainConflict.ts'
import { type Effective, type PricedEntry, rateKey } from './stageRateCard.ts'

/** A price that a commit has published, with its weeks. Stamps are in UTC, as `Date.toISOString` writes them. */
export interface CommittedPrice extends Omit<WeekPrice, 'week' | 'agreement_id'> {
  readonly weeks: readonly string[]
  readonly window_opens: string | null
  readonly window_closes: string | null
  readonly quote_expires_at: string | null
}

/** What entries sent under the name of a published commit would do to it. */
export interface Completion {
  /** The entries with weeks that the commit does not price yet, each with these weeks alone. */
  readonly added: readonly PricedEntry[]
  /** The entries that would change a published price. */
  readonly changed: readonly PricedEntry[]
}

/** Compares entries with what a commit has published for their keys: what it had refused may be completed, and nothing else changes. */
export function completeCommit(committed: readonly CommittedPrice[], entries: readonly PricedEntry[], currency: string): Completion {
  const priceOfWeek = new Map<string, Map<string, string>>()
  for (const price of committed) {
    const key = rateKey(price)
    const ofKey = priceOfWeek.get(key) ?? new Map<string, string>()
    priceOfWeek.set(key, ofKey)
    const stated = committedText(price)
    for (const week of price.weeks) ofKey.set(week, stated)
  }
  const added: PricedEntry[] = []
  const changed: PricedEntry[] = []
  for (const priced of entries) {
    const published = priceOfWeek.get(rateKey(priced.entry))
    const sent = sentText(priced, currency)
    const weeks = published === undefined ? priced.weeks : priced.weeks.filter((week) => !published.has(week))
    if (priced.weeks.some((week) => (published?.get(week) ?? sent) !== sent)) changed.push(priced)
    else if (weeks.length > 0) added.push({ ...priced, weeks })
  }
  return { added, changed }
}

function committedText(price: CommittedPrice): string {
  const { gross_rate_unit, gross_rate_cpm, currency, guaranteed_impressions, audience_code, window_opens, window_closes } = price
  const costs = [gross_rate_unit, gross_rate_cpm].map((cost) => (cost === null ? null : Number(cost)))
  return JSON.stringify([...costs, currency, guaranteed_impressions, audience_code, window_opens, window_closes, price.quote_expires_at])
}

function sentText({ entry }: PricedEntry, currency: string): string {
  const costs = [entry.gross_rate_unit ?? null, entry.gross_rate_cpm ?? null]
  const terms = [entry.currency ?? currency, entry.guaranteed_impressions ?? null, entry.audience_code ?? null]
  return JSON.stringify([...costs, ...terms, utc(entry.window?.opens), utc(entry.window?.closes), utc(entry.quote_expires_at)])
}

function utc(stamp: string | undefined): string | null {
  return stamp === undefined ? null : new Date(stamp).toISOString()
}

/** Tells whether a stored answer to a PUT or a drop has refused entries. An empty text, as a quote has, has refused none. */
export function hasRefused(reply: string): boolean {
  if (reply === '') return false
  const { rejected = 0, is_partial } = JSON.parse(reply) as StoredReply
  return is_partial ?? rejected > 0
}

/** The members of a stored answer that tell: `rejected` of a PUT, `is_partial` of a drop. */
interface StoredReply {
  readonly rejected?: number
  readonly is_partial?: boolean
}

/** Tells whether entries may be added to a commit: it has refused some, now or before it was completed. */
export function isOpen({ reply, has_parts }: { readonly reply: string; readonly has_parts: boolean }): boolean {
  return has_parts || hasRefused(reply)
}

/** What a commit is published under, besides its name. */
interface Head {
  readonly effective: Effective
  readonly agreement_id?: string | null | undefined
}

/** Returns the member of a commit's head that is sent otherwise under its name. */
export function otherMember(committed: Head, sent: Head): 'effective.start' | 'effective.end' | 'agreement_id' | undefined {
  if (committed.effective.start !== sent.effective.start) return 'effective.start'
  if (committed.effective.end !== sent.effective.end) return 'effective.end'
  return (committed.agreement_id ?? null) === (sent.agreement_id ?? null) ? undefined : 'agreement_id'
}

export function otherHeadText(commit: string, member: string): string {
  return `The commit ${commit} was published with another ${member}; a commit never changes. Choose another name.`
}

/** Says why entries sent under the name of a published commit are refused, and what to do. */
export function conflictText(commit: string, names: readonly string[], isChange: boolean): string {
  const max = 20
  const listed = `${names.slice(0, max).join(', ')}${names.length > max ? ` and ${names.length - max} more` : ''}`
  const other = 'Choose another name for the commit.'
  if (names.length === 0)
    return `The commit ${commit} was published with other content, and had refused nothing; it never changes. ${other}`
  return isChange
    ? `The commit ${commit} has published other prices in place of ${listed}; what is published never changes. ${other}`
    : `The commit ${commit} was published without ${listed}, and had refused nothing; it never changes. ${other}`
}
