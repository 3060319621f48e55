import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { CreateOrder } from '../../contract/createOrder.ts'
import { addDays, datesOfWeek, weekOf } from '../../domain/calendar.ts'
import { type Entry, writeDropFile } from '../../sdk/dropClient/writeDropFile.ts'
import { LAKESHORE } from './lakeshore.ts'

/** Returns the four weeks that the files sell, starting two months ahead. */
function weeksOnSale(today: string): string[] {
  return [8, 9, 10, 11].map((ahead) => weekOf(addDays(today, 7 * ahead)))
}

/**
 * Writes the files that a station's data person would put into a folder: a catalog as csv, prices as xlsx and avails as parquet. Unless
 * `corrected`, one price row names a product that does not exist.
 */
export async function writeDropFolder(folder: string, today: string, { corrected }: { corrected: boolean }): Promise<string[]> {
  const weeks = weeksOnSale(today)
  const [first = '', last = ''] = [datesOfWeek(weeks[0] ?? '')[0], datesOfWeek(weeks.at(-1) ?? '')[6]]
  const effective = { start: first, end: last }
  const products: Entry[] = LAKESHORE.map(({ prices: _, spots: __, ...product }) => ({
    ...product,
    effective,
    taxonomy_version: 'lakeshore-1',
  }))
  const rates: Entry[] = LAKESHORE.flatMap(({ product_id, prices }) =>
    prices.map(({ spot_length, gross_rate_unit }, index) => ({
      product_id: corrected || index !== 1 || product_id !== 'lks-evening-news' ? product_id : 'lks-evening-nws',
      market_class: 'scatter',
      advertiser_class: 'general',
      spot_length,
      buy_type: 'preemptible',
      gross_rate_unit,
      currency: 'USD',
      'effective.start': first,
      'effective.end': last,
    })),
  )
  const avails: Entry[] = LAKESHORE.flatMap(({ product_id, spots }) =>
    weeks.map((start, index) => ({
      product_id,
      period: { grain: 'week', start },
      state: 'available',
      spots: { available: spots - 3 * index },
    })),
  )
  const files = {
    'catalog.csv': await writeDropFile('csv', products),
    'rate_cards.xlsx': await writeDropFile('xlsx', rates),
    'avails.parquet': await writeDropFile('parquet', avails),
  }
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  for (const [name, bytes] of Object.entries(files)) await writeFile(join(folder, name), bytes)
  return Object.keys(files)
}

/** Returns an order with two lines for the products in the files, on a card version; its price references are filled in later. */
export function orderOfDrop(seller: string, today: string, rate_version: string): CreateOrder {
  const [week = ''] = weeksOnSale(today)
  const line = (product_id: string, spot_length: number, units: number, unit_cost: number) => ({
    product_id,
    period: { grain: 'week' as const, start: week },
    units,
    spot_length,
    rate: {
      market_class: 'scatter' as const,
      advertiser_class: 'general',
      buy_type: 'preemptible' as const,
      unit_cost,
      locked_rate_id: 'TAKEN_FROM_THE_AVAILS_READ',
      currency: 'USD',
    },
  })
  return {
    seller,
    external_order_id: 'FRESH_FOR_EVERY_ORDER',
    rate_version,
    buyer_metadata: { advertiser_id: 'adv-harbor-hardware', estimate_id: 'EST-31205' },
    flight: { start: datesOfWeek(week)[0] ?? '', end: datesOfWeek(week)[6] ?? '' },
    line_items: [line('lks-evening-news', 30, 6, 410), line('lks-weekend-movies', 15, 10, 145)],
  }
}
