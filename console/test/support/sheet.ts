import type { Page } from '@playwright/test'
import { call, tokenOf } from './marketplace.ts'

/** Products of a seller's own for a spec, so that it disturbs no other. */
export async function ownProducts(seller: string, ids: readonly string[]): Promise<void> {
  await call(tokenOf('seller', seller), 'PUT', '/me/catalog', {
    taxonomy_version: '2026.2',
    products: ids.map((product_id) => ({
      product_id,
      type: 'daypart',
      network: 'SPEC',
      buy_types: ['preemptible'],
      grains: ['week'],
      definition: { selling_title: product_id, days: ['Mon'], start: '06:00', end: '09:00', timezone: 'America/New_York' },
    })),
  })
}

export const RATE_HEADER = [
  'product_id',
  'week',
  'spot_length',
  'gross_rate_unit',
  'market_class',
  'advertiser_class',
  'buy_type',
  'currency',
]

/** Prices of products by week and length. */
export function rateRows(products: readonly string[], weeks: readonly string[], lengths: readonly number[], price: (at: number) => string) {
  return products.flatMap((product, p) =>
    weeks.flatMap((week, w) =>
      lengths.map((length, l) => [product, week, String(length), price(p * 1000 + w * 10 + l), 'scatter', 'general', 'preemptible', 'USD']),
    ),
  )
}

export function weeks(year: number, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${year}-W${String(index + 1).padStart(2, '0')}`)
}

export function asText(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => row.join('\t')).join('\n')
}

/** Pastes as a spreadsheet's copy arrives: an event with text, at whatever has the focus. */
export async function paste(page: Page, text: string): Promise<void> {
  await page.evaluate((pasted) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', pasted)
    const target = document.activeElement ?? document.body
    target.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  }, text)
}

/** What a copy puts into the clipboard. */
export async function copied(page: Page): Promise<string> {
  return page.evaluate(() => {
    const clipboardData = new DataTransfer()
    const target = document.activeElement ?? document.body
    target.dispatchEvent(new ClipboardEvent('copy', { clipboardData, bubbles: true, cancelable: true }))
    return clipboardData.getData('text/plain')
  })
}
