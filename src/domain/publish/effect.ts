import type { PublishEffect } from '../../contract/publishEffect.ts'
import { canonicalJson } from '../canonicalJson.ts'

/** An entry of a publish, with the published entry that it replaces. */
export interface Replacement {
  readonly product_id: string
  /** The period of an avail or the week of a price; null for a product. */
  readonly start: string | null
  readonly before: object | undefined
  readonly after: object
  /** Whether the entry takes the published one off sale. */
  readonly ends?: boolean
}

/** The most changes that a reply lists. */
const MAX_CHANGES = 1_000

/** Sums up the changes that a publish would make, while its entries are examined. */
export function effectTally() {
  const counts = { added: 0, changed: 0, unchanged: 0, ended: 0 }
  const changes: PublishEffect['changes'] = []
  return {
    add({ product_id, start, before, after, ends = false }: Replacement): keyof typeof counts {
      const isSame = before !== undefined && canonicalJson(before) === canonicalJson(after)
      const change = isSame ? 'unchanged' : ends && before !== undefined ? 'ended' : before === undefined ? 'added' : 'changed'
      counts[change] += 1
      if (change !== 'unchanged' && changes.length < MAX_CHANGES)
        changes.push({
          change,
          product_id,
          start,
          before: (before as Record<string, unknown> | undefined) ?? null,
          after: after as Record<string, unknown>,
        })
      return change
    },
    effect: (open_orders_drifting = 0): PublishEffect => ({ ...counts, changes, open_orders_drifting }),
  }
}
