import type { CreateOrder } from '../../contract/createOrder.ts'
import type { Operations } from '../../sdk/ownClient.ts'
import type { Credentials } from '../embedded/seedSandbox.ts'
import { approve } from './approve.ts'
import { clientFor } from './client.ts'
import { orderByDocument } from './document.ts'
import { example } from './examples.ts'
import { feedCursor, untilReviewed } from './feed.ts'
import { fillOrder } from './fillOrder.ts'
import { agreeOnMail, tellMail } from './mail.ts'
import { negotiate } from './negotiate.ts'
import { tellOutcome } from './outcome.ts'
import { createOrder, freshId, readAvails } from './place.ts'
import type { Progress } from './progress.ts'
import { API_SELLERS, discover, PUBLISHED_HEAD, publish, readCatalog } from './publish.ts'
import { connectPullSeller, untilDecided } from './pullSeller.ts'
import { settle } from './settle.ts'
import { heading, table } from './story.ts'
import { tokenOf } from './tokenOf.ts'
import { listenForWebhooks } from './webhook.ts'

/** The buyer in the demo; the other buyer is left for users to try. */
export const BUYER = 'northlight-media'

/** The seller whose order is settled. */
const STATION = 'lakeshore-28'

export interface Walk {
  credentials: Credentials
  progress: Progress
  signal: AbortSignal
  /** Whether the seller's own API decides, instead of a person. */
  pull: boolean
}

/**
 * Walks through four orders step by step: one from a published rate card to its receipt, one with a counter, one read from a document,
 * and one from a closed month, which is settled. Returns the id of the first order.
 */
export async function walk({ credentials, progress, signal, pull }: Walk): Promise<string> {
  const { base_url: baseUrl, sellers, buyers } = credentials
  const asSeller = (seller: string) => clientFor(baseUrl, tokenOf(sellers, seller), signal)
  const asBuyer = clientFor(baseUrl, tokenOf(buyers, BUYER), signal)
  const order = JSON.parse(await example('order')) as CreateOrder
  const { seller } = order

  heading('1  Two sellers publish: catalog, rate card, avails')
  const published = await progress.during('Publishing', publishAll(API_SELLERS, asSeller))
  table(PUBLISHED_HEAD, published, ['accepted', 'rejected'])

  const agreement_id = await agreeOnMail(seller, BUYER, asSeller(seller))

  if (pull) await progress.during("Starting the seller's own API", connectPullSeller(seller, asSeller(seller)))

  heading(`2  A buyer, ${BUYER}, looks for what is on sale`)
  await discover(asBuyer)
  for (const name of API_SELLERS) await readCatalog(name, asBuyer)

  heading('3  It reads avails and prices, and cites them: a booked price is a published price')
  const cited = await readAvails(order, asBuyer)

  heading('4  It registers a webhook, then places the order')
  const webhooks = await listenForWebhooks(asBuyer, signal)
  const after = await progress.during('Reading the event feed to its end', feedCursor(asBuyer))
  const created = await createOrder({ ...fillOrder(order, cited, freshId()), agreement_id }, asBuyer)

  heading('5  Its workflow validates it and parks it at the seller; the feed says so')
  await progress.during('Waiting for seller_review in the event feed', untilReviewed({ asBuyer, orderId: created.order_id, after, signal }))

  if (pull) {
    heading(`6  The platform asks the API of ${seller} to decide; of an order this large it says "later", and is asked again after 30 s`)
    await progress.during('Waiting for its decision', untilDecided(created.order_id, asBuyer, signal))
  } else {
    heading(`6  ${seller} finds it in its queue and approves it: nothing airs without that`)
    await approve(created.order_id, asSeller(seller))
  }

  heading('7  The same events came by webhook, signed; the log of deliveries')
  await webhooks.tell(created.order_id, 'placed')
  await webhooks.close()

  heading('8  The buyer reads the outcome: events, snapshot, placement receipt')
  await tellOutcome(created.order_id, asBuyer)

  heading("9  Its document goes to the agency's billing system by mail, with the estimate as the buyer sent it")
  await progress.during('Waiting for the mail', tellMail(created.order_id, asBuyer, signal))

  // If the seller's own API decides, no person is there to counter.
  if (pull) return created.order_id
  await negotiate({ asBuyer, asSeller: asSeller(seller), progress, signal })
  await orderByDocument({ asBuyer, asSeller: asSeller(seller), progress, signal })
  await settle({ seller: STATION, buyer: BUYER, asBuyer, asSeller: asSeller(STATION), progress, signal })
  return created.order_id
}

async function publishAll(sellers: readonly string[], asSeller: (seller: string) => Operations): Promise<string[][]> {
  const rows: string[][] = []
  for (const seller of sellers) rows.push(...(await publish(seller, asSeller(seller))))
  return rows
}
