import { z } from 'zod'
import { FOUND_OF_EACH, SEARCHED_ORDERS } from './vocabulary/bounds.ts'
import { ORDER_STATUSES } from './vocabulary.ts'

/** GET /search: what a tenant has under some words, the best first. */

export const SearchQuery = z.strictObject({
  q: z.string().trim().min(1).max(200).meta({
    description: 'Words, each of which must be in what is found: a title, network, daypart, party, order id, advertiser or product.',
  }),
})
export type SearchQuery = z.output<typeof SearchQuery>

export const FoundOrder = z
  .object({
    order_id: z.string(),
    external_order_id: z.string(),
    seller: z.string(),
    seller_name: z.string().optional().meta({ description: 'The name of the seller, if it has one.' }),
    buyer_entity: z.string(),
    buyer_name: z.string().optional().meta({ description: 'The name of the buyer, if it has one.' }),
    status: z.enum(ORDER_STATUSES),
    matched: z.string().meta({ description: 'What the words were found in, such as the title of a line.' }),
  })
  .meta({ id: 'FoundOrder' })
export type FoundOrder = z.infer<typeof FoundOrder>

export const FoundProduct = z
  .object({
    seller: z.string(),
    product_id: z.string(),
    product_title: z.string().optional().meta({ description: 'The title of the product.' }),
    network: z.string(),
  })
  .meta({ id: 'FoundProduct' })
export type FoundProduct = z.infer<typeof FoundProduct>

export const FoundParty = z
  .object({ entity: z.string().meta({ description: 'The id of the tenant.' }), name: z.string().optional() })
  .meta({ id: 'FoundParty' })
export type FoundParty = z.infer<typeof FoundParty>

export const SearchReply = z
  .object({
    orders: z.array(FoundOrder).meta({ description: `At most ${FOUND_OF_EACH} of your orders, the best first, then the newest.` }),
    products: z
      .array(FoundProduct)
      .meta({ description: `At most ${FOUND_OF_EACH} products: a seller's own, or those that a buyer may see.` }),
    parties: z
      .array(FoundParty)
      .meta({ description: `At most ${FOUND_OF_EACH} of those that you trade with: sellers for a buyer, buyers for a seller.` }),
    complete: z.boolean().meta({
      description: `False if older orders may have the words too: you have more than ${SEARCHED_ORDERS}, or the words are in many of them.`,
    }),
  })
  .meta({ id: 'SearchReply' })
export type SearchReply = z.infer<typeof SearchReply>
