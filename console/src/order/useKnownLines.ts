import { useQueries, useQuery } from '@tanstack/react-query'
import { creditRead } from '../api/queries/agreements.ts'
import type { Order } from '../api/queries/orders.ts'
import { ownAvails } from '../api/queries/publishing.ts'
import { weeksAround } from './cardWeeks.ts'
import type { CardOf } from './useCard.ts'
import type { KnownLine } from './verdict.ts'

/** The most products of one order whose avails are read. */
export const MAX_PRODUCTS = 24

/** What a seller knows of the lines that the buyer asked for: the card's price and what is left. A very large order gets no verdict. */
export function useKnownLines(order: Order, cardOf: CardOf, isSeller: boolean): readonly KnownLine[] {
  const asks = order.line_items.filter((line) => line.in_response_to === undefined)
  const products = isSeller ? [...new Set(asks.map(({ product_id }) => product_id))] : []
  const isRead = products.length > 0 && products.length <= MAX_PRODUCTS
  const reads = isRead ? products.flatMap((product) => ({ product, weeks: weeksAround(order, product) })) : []
  const results = useQueries({
    queries: reads.map(({ product, weeks }) => ({ ...ownAvails(weeks ?? '', product), enabled: weeks !== undefined })),
  })
  if (!isRead) return []
  const avails = new Map(reads.map(({ product, weeks }, index) => [product, weeks === undefined ? [] : results[index]?.data]))
  return asks.map((line) => {
    const { grain, start } = line.period
    const ofProduct = avails.get(line.product_id)
    const avail = ofProduct?.find(({ period }) => period.grain === grain && period.start === start)
    return { line, card: cardOf(line, line), avail: ofProduct === undefined ? undefined : (avail ?? null) }
  })
}

/** The credit of the agreement that a cleared order draws on, as its seller reads it. */
export function useOrderCredit({ agreement_id, settlement_mode }: Order, isSeller: boolean) {
  const isDrawn = isSeller && settlement_mode === 'cleared' && agreement_id !== undefined
  return useQuery({ ...creditRead('seller', agreement_id ?? ''), enabled: isDrawn }).data
}
