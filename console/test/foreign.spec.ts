import { readdirSync, readFileSync } from 'node:fs'
import { expect, type Page } from '@playwright/test'
import { call, nobodys, OPERATOR, orderInReview, SELLER, tokenOf } from './support/marketplace.ts'
import { signedIn } from './support/signedIn.ts'
import { test } from './support/test.ts'

/** Tenants that have nothing to do with what is asked for. */
const STRANGERS = { seller: 'lakeshore-28', buyer: 'harbor-and-vale', operator: OPERATOR } as const

/** What others have: a seller with an order of its buyer, an endpoint and a card. */
interface Others {
  readonly orderId: string
  readonly orderName: string
  readonly endpoint: string
  readonly card: string
}

interface Place {
  readonly sides: readonly (keyof typeof STRANGERS)[]
  readonly id: (others: Others) => string
  readonly says: string
}

const ofOrder: Place = { sides: ['seller', 'buyer'], id: ({ orderId }) => orderId, says: 'NOT_FOUND' }

/** Every route with an id in its address, and an id of others for it. */
const PLACES: Readonly<Record<string, Place>> = {
  '/orders/$id': ofOrder,
  '/orders/$id/plan': ofOrder,
  '/orders/$id/document': ofOrder,
  '/orders/$id/makegoods': ofOrder,
  '/orders/$id/print': ofOrder,
  // An operator sees every order, and of one that nobody has that there is none.
  '/ops/orders/$id': { sides: ['operator'], id: () => nobodys('ord'), says: 'NOT_FOUND' },
  '/settlement/orders/$id': ofOrder,
  '/settlement/invoices/$id': { sides: ['seller', 'buyer'], id: () => nobodys('inv'), says: 'NOT_FOUND' },
  '/webhooks/$id': { sides: ['seller', 'buyer'], id: ({ endpoint }) => endpoint, says: 'NOT_FOUND' },
  '/cards/$commit': { sides: ['seller'], id: ({ card }) => card, says: 'NOT_FOUND' },
  '/basket/$seller': { sides: ['buyer'], id: () => 'nobody-at-all', says: 'NOT_FOUND' },
  '/publish/$kind': { sides: ['seller'], id: () => 'constructor', says: 'There is no such page' },
}

let others: Promise<Others> | undefined

function ofOthers(): Promise<Others> {
  others ??= makeOthers()
  return others
}

async function makeOthers(): Promise<Others> {
  const token = tokenOf('seller', SELLER)
  const { order_id, external_order_id } = await orderInReview()
  const body = { url: 'http://127.0.0.1:9/of-others', statuses: ['failed'] }
  const { endpoint_id } = await call<{ endpoint_id: string }>(token, 'POST', '/webhooks/endpoints', body)
  const { rate_version } = await call<{ rate_version: string }>(tokenOf('buyer', 'northlight-media'), 'GET', `/sellers/${SELLER}/catalog`)
  return { orderId: order_id, orderName: external_order_id, endpoint: endpoint_id, card: rate_version }
}

async function expectNothing(page: Page, path: string, says: string): Promise<void> {
  const { orderName } = await ofOthers()
  await page.goto(`/console${path}`)
  await expect(page.getByText(says).first()).toBeVisible()
  await expect(page.getByText(orderName)).toBeHidden()
}

for (const [route, { sides, id, says }] of Object.entries(PLACES)) {
  test(`${route} with an id of others says only that there is none`, async ({ browser }) => {
    const path = route.replace(/\$\w+/, id(await ofOthers()))
    for (const side of sides) {
      const { page } = await signedIn(browser, STRANGERS[side])
      await expectNothing(page, path, says)
      if (route === '/orders/$id') await expectNothing(page, `${path}?seq=1`, says)
      await page.context().close()
    }
  })
}

test('no route with an id is left out', () => {
  const folder = new URL('../src/routes/', import.meta.url)
  const routes = readdirSync(folder).flatMap(
    (file) => readFileSync(new URL(file, folder), 'utf8').match(/(?<=path: ')[^']*\$[^']*(?=')/g) ?? [],
  )
  expect(routes.toSorted()).toEqual(Object.keys(PLACES).toSorted())
})

test('an address that selects what others have, or an unknown view, selects nothing', async ({ browser }) => {
  const { orderId, card } = await ofOthers()
  const { page: seller } = await signedIn(browser, STRANGERS.seller)
  await expectNothing(seller, `/queue?order=${orderId}`, 'Nothing waits for you')
  await expectNothing(seller, `/publish/rates?from=${card}`, 'NOT_FOUND')
  const { page: buyer } = await signedIn(browser, STRANGERS.buyer)
  await expectNothing(buyer, `/orders?q=${orderId}`, 'No order matches')
  await buyer.goto('/console/settlement?view=of-nobody')
  await expect(buyer.getByRole('link', { name: 'Statement and invoices' })).toHaveAttribute('aria-current', 'page')
})
