import { type Holds, NotApplicable, NotHeld, type Story } from '../story.ts'
import { expected, type WireReply } from '../wire.ts'
import { DECIDED, type SellerWorld } from './world.ts'

const DECIDE = 'decide it as you decide any order: in the console, by POST /me/orders/{order_id}/decide, by a rule or by your own API'

/** Level 0: file drops plus the approval console, fully transactable. */
export const FILES_AND_CONSOLE: readonly Story<SellerWorld>[] = [
  {
    id: 'seller.publishes',
    level: 0,
    title: 'A seller publishes a catalog of products, with a taxonomy version.',
    link: 'docs/contract/publishing.md#one-write-model',
    run: publishes,
  },
  {
    id: 'seller.drops',
    level: 0,
    title: 'Ingestion is asynchronous; results land in the drop.',
    link: 'docs/contract/files.md#file-drops',
    run: drops,
  },
  {
    id: 'seller.decides',
    level: 0,
    title: 'Every order passes a seller approval gate at status seller_review.',
    link: 'docs/contract/states.md#decide',
    run: (world, holds) => decides(world, holds, { template: 'catalog', then: 'silent' }),
  },
  {
    id: 'seller.document',
    level: 0,
    title: 'A document order goes to seller_review once its buyer has confirmed it.',
    link: 'docs/contract/states.md#confirm',
    run: (world, holds) => {
      if (!world.profile.modes.document) throw new NotApplicable('modes.document is not declared')
      return decides(world, holds, { template: 'document', then: 'accepts' })
    },
  },
  {
    id: 'seller.canceled',
    level: 0,
    title: 'Buyers can cancel; the cancellation block is the same on the event and in the snapshot.',
    link: 'docs/contract/states.md#cancel',
    run: canceled,
  },
]

async function publishes({ wire, buyer, seller, profile }: SellerWorld, holds: Holds): Promise<void> {
  await holds('the catalog has products that can be ordered', async () => {
    const { products, taxonomy_version } = expected(await wire.get('/me/catalog'), 200, 'use a token with catalog:read')
    const orderable = products.filter(({ status }: { status?: string }) => status !== 'withdrawn')
    if (orderable.length === 0) throw new NotHeld('there is no product', 'publish a catalog: by a drop, PUT /me/catalog or the console')
    if (!taxonomy_version) throw new NotHeld('the catalog has no taxonomy_version', 'send taxonomy_version with the catalog')
  })
  await holds('a rate card prices them', async () => {
    const { items } = expected(await wire.get('/me/rate-cards'), 200, 'use a token with catalog:read')
    if (items.length === 0) throw new NotHeld('there is no rate card', 'publish a rate card: a booked price is always a published one')
  })
  if (profile.access !== 'open') return
  await holds('a buyer finds them', async () => {
    const { products } = expected(await buyer.get(`/sellers/${seller}/catalog`), 200, 'let buyers read the catalog')
    if (products.length === 0) throw new NotHeld('a new buyer sees no product', 'make a product visible without an agreement')
  })
}

async function drops({ wire }: SellerWorld, holds: Holds): Promise<void> {
  const { items } = (await wire.get('/me/files')).body
  const last = items?.[0]
  if (last === undefined) throw new NotApplicable('no drop was sent; the seller publishes by the API or the console')
  await holds('the last drop wrote rows', () => {
    if (last.status === 'success' || last.status === 'partial') return
    throw new NotHeld(`drop ${last.drop_id} is ${last.status}`, `read ${last.results_uri}: it names each file and row that was refused`)
  })
}

/** Orders, and waits for the seller's decision; returns the decided order. */
export async function decides(world: SellerWorld, holds: Holds, order: object): Promise<WireReply['body']> {
  const order_id = await holds('the buyer of the sandbox can order at published prices', () => world.order(order))
  await holds('the order comes to seller_review, or is decided there at once', () =>
    world.until(order_id, ['seller_review', ...DECIDED], 'look at the order: what fails before the review says why in error'),
  )
  const decided = await holds('the seller decides it', () => world.until(order_id, DECIDED, DECIDE))
  await holds('the decision record rides the event, with gate, actor and decision', async () => {
    const record = (await world.events(order_id)).find(({ decision_record }) => decision_record !== undefined)?.decision_record
    if (!record?.gate || !record.actor || !record.decision) throw new NotHeld('the log has no decision record', 'send decision and actor')
  })
  await holds('each line is accepted, countered or rejected, and its allocation sums to num_accepted', () => linesHold(decided))
  return decided
}

function linesHold({ line_items, status, artifacts }: WireReply['body']): void {
  for (const { unit_id, status: line, num_accepted, allocation } of line_items) {
    if (line === 'pending' && status !== 'negotiating') throw new NotHeld(`${unit_id} is still pending`, 'decide every line')
    const sum = allocation.reduce((units: number, entry: { units: number }) => units + entry.units, 0)
    if (sum !== num_accepted) throw new NotHeld(`${unit_id} has ${sum} of ${num_accepted} units allocated`, 'tell the marketplace')
  }
  const receipt = artifacts.some(({ name }: { name: string }) => name === 'placement_receipt')
  if (status === 'placed' && !receipt) throw new NotHeld('a placed order has no placement_receipt', 'tell the marketplace')
}

async function canceled(world: SellerWorld, holds: Holds): Promise<void> {
  const order_id = await holds('the buyer of the sandbox can order', () => world.order({ template: 'catalog', then: 'cancels' }))
  await holds('the buyer cancels, whatever the seller has decided', () =>
    world.until(order_id, ['canceled'], 'an order that is rejected cannot be canceled: accept what the sandbox orders'),
  )
  await holds('the block is on the event as in the snapshot, and nothing follows', async () => {
    const last = (await world.events(order_id)).at(-1)
    const { cancellation } = await world.read(order_id)
    if (last?.status !== 'canceled') throw new NotHeld(`${last?.status} follows the cancellation`, 'decide nothing that is canceled')
    if (JSON.stringify(last.cancellation) !== JSON.stringify(cancellation)) throw new NotHeld('the blocks differ', 'tell the marketplace')
  })
}
