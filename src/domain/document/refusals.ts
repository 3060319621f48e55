import type { Sheet } from './cells.ts'
import { textOf } from './cells.ts'
import type { Regions } from './regions.ts'

/** Kinds of documents that are no order, by the name that a refusal gives them. */
export type RefusalKind = 'image' | 'prose' | 'copy instruction' | 'log' | 'invoice' | 'no order'

/**
 * Returns what a document is if it is no order: pages without text are an image; a list with the clock of each airing is a log; creatives that
 * rotate are a copy instruction; numbered items in sentences are prose. A workbook that has an order beside a run sheet is an order.
 */
export function refusalOf(sheets: readonly Sheet[], { regions, around }: Regions, hasLines: boolean): RefusalKind | undefined {
  if (!sheets.some(({ texts }) => texts.some(({ text }) => text.trim() !== ''))) return 'image'
  if (hasLines) return undefined
  const texts = [...around, ...regions.flatMap(({ rows }) => rows.map(({ row }) => row))].map(textOf)
  const all = [...texts, ...regions.flatMap(({ headings }) => headings.map(({ text }) => text))].join('\n')
  if (regions.some(({ kind }) => kind === 'airings')) return 'log'
  if (/traffic instructions?|copy instructions?|\brotation\b/i.test(all) && /isci|ad-?id/i.test(all)) return 'copy instruction'
  if (texts.some((text) => /^invoice\b|\binvoice (no|number|date|#)/i.test(text.trim()))) return 'invoice'
  if (texts.some((text) => /^\s*\d+\)\s.*\bspots?\b/i.test(text)) || /\bx\s?\d+\s+spots\b/i.test(all)) return 'prose'
  if (sheets.every(({ texts: own }) => own.length < 400) && /\bas[- ]?run\b|airtime|\baired\b/i.test(all)) return 'log'
  return 'no order'
}
