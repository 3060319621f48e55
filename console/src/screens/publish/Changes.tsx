import type { Effect } from '../../api/queries/publishing.ts'
import { countText, figureText } from '../../ui/Money.tsx'
import type { Kind } from './kinds.ts'
import classes from './Publish.module.css'

type Change = Effect['changes'][number]
type Entry = Record<string, unknown> | null

const SHOWN = 100

/** Lists the entries that would change, each before and after, and marks the changes that are new since the seller last looked. */
export function Changes({ kind, effect, before }: { kind: Kind; effect: Effect; before: Effect | undefined }) {
  const seen = before && new Set(before.changes.map((change) => JSON.stringify(change)))
  const total = effect.added + effect.changed + effect.ended
  if (total === 0) return <p className={classes.note}>This is already published; nothing would change.</p>
  const isNew = (change: Change) => seen !== undefined && !seen.has(JSON.stringify(change))
  const shown = effect.changes.toSorted((a, b) => Number(isNew(b)) - Number(isNew(a)) || rank(a) - rank(b)).slice(0, SHOWN)
  return (
    <>
      <ul className={classes.changes} aria-label="Changes">
        {shown.map((change, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list is replaced whole, and a change has no name
          <li key={index} className={isNew(change) ? classes.news : undefined}>
            <span className={classes.what}>
              {change.product_id} {change.start}
              {isNew(change) && <strong> new</strong>}
            </span>
            <span className={classes.how}>{changeText(kind, change)}</span>
          </li>
        ))}
      </ul>
      {total > shown.length && <p className={classes.note}>and {countText(total - shown.length, 'more', 'more')}</p>}
    </>
  )
}

/** Sorts withdrawals and replacements first, since they matter more than additions. */
function rank({ change }: Change): number {
  return ['ended', 'changed', 'added'].indexOf(change)
}

function changeText({ id }: Kind, { change, before, after }: Change): string {
  if (change === 'ended') return 'withdrawn'
  if (before === null) return `new${id === 'catalog' ? '' : `, ${entryText(after)}`}`
  const members = Object.keys({ ...before, ...after }).filter((name) => textOf(before[name]) !== textOf(after?.[name]))
  return members.map((name) => `${nameOf(name)} ${textOf(before[name])} → ${textOf(after?.[name])}`).join(', ')
}

function nameOf(member: string): string {
  return NAMES[member] ?? member.replaceAll('_', ' ')
}

const NAMES: Readonly<Record<string, string>> = { gross_rate_unit: '', gross_rate_cpm: 'cpm', sellout_level: 'sellout' }

function entryText(entry: Entry): string {
  const { gross_rate_unit, gross_rate_cpm, currency, spots, units } = entry ?? {}
  const priced = (cost: number) => figureText(cost, typeof currency === 'string' ? currency : undefined)
  if (typeof gross_rate_unit === 'number') return priced(gross_rate_unit)
  if (typeof gross_rate_cpm === 'number') return `${priced(gross_rate_cpm)} cpm`
  const count = (spots ?? units) as { available?: number } | undefined
  return count?.available === undefined ? '' : `${count.available} left`
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return 'none'
  if (typeof value === 'number') return value.toLocaleString('en-US', { maximumFractionDigits: 6 })
  if (typeof value !== 'object') return String(value)
  return 'available' in value ? String(value.available) : JSON.stringify(value)
}
