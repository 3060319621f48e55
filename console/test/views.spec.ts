import { expect, type Page } from '@playwright/test'
import { accessFaultsInBothSchemes } from './support/accessFaults.ts'
import { fill, gridRead } from './support/buying.ts'
import { BUYER, call, nobodys, OPERATOR, orderInReview, SELLER, tokenOf } from './support/marketplace.ts'
import { asText, paste, RATE_HEADER, rateRows } from './support/sheet.ts'
import { signedIn, violationsOf, watchPolicy } from './support/signedIn.ts'
import { test } from './support/test.ts'

interface View {
  readonly name: string
  readonly persona: string
  readonly path: (orderId: string) => string
  readonly ready: (page: Page) => Promise<void>
}

const VIEWS: readonly View[] = [
  ...(['stuck', 'overdue', 'open', 'deliveries', 'drops', 'connections'] as const).map((view) => ({
    name: `operations, ${view}`,
    persona: OPERATOR,
    path: () => `/console/ops?view=${view}`,
    ready: async (page: Page) => expect(page.getByText('Order mail')).toBeVisible(),
  })),
  {
    name: 'queue',
    persona: SELLER,
    path: () => '/console/queue',
    ready: async (page) => expect(page.getByRole('button', { name: /^Approve/ })).toBeEnabled(),
  },
  { name: 'counter', persona: SELLER, path: () => '/console/queue', ready: openCounter },
  {
    name: 'empty queue',
    persona: SELLER,
    path: () => '/console/queue?q=nothing',
    ready: async (page) => expect(page.getByText('No order matches')).toBeVisible(),
  },
  { name: 'orders', persona: BUYER, path: () => '/console/orders', ready: async (page) => expect(page.getByRole('grid')).toBeVisible() },
  {
    name: 'order',
    persona: BUYER,
    path: (id) => `/console/orders/${id}`,
    ready: async (page) => expect(page.getByText('Moved to in review')).toBeVisible(),
  },
  {
    name: 'earlier state',
    persona: SELLER,
    path: (id) => `/console/orders/${id}?seq=1`,
    ready: async (page) => expect(page.getByText('As it was at event 1')).toBeVisible(),
  },
  {
    name: 'an order on paper',
    persona: BUYER,
    path: (id) => `/console/orders/${id}/print`,
    ready: async (page) => expect(page.getByRole('heading', { name: 'Totals and terms' })).toBeVisible(),
  },
  {
    name: 'an order of others',
    persona: BUYER,
    path: () => `/console/orders/${nobodys('ord')}`,
    ready: async (page) => expect(page.getByText('NOT_FOUND').first()).toBeVisible(),
  },
  {
    name: 'publish, empty',
    persona: SELLER,
    path: () => '/console/publish/catalog',
    ready: async (page) => expect(page.getByText('Paste catalog from a spreadsheet')).toBeVisible(),
  },
  { name: 'publish, faults', persona: SELLER, path: () => '/console/publish/rates', ready: pasteFaults },
  {
    name: 'avails',
    persona: SELLER,
    path: () => '/console/avails',
    ready: async (page) => expect(page.getByRole('grid', { name: 'Avails by week' })).toBeVisible(),
  },
  {
    name: 'find',
    persona: BUYER,
    path: () => `/console/find?seller=${SELLER}`,
    ready: gridRead,
  },
  { name: 'basket', persona: BUYER, path: () => '/console/basket', ready: (page) => fill(page, ['4', '6']) },
  { name: 'faults of a basket', persona: BUYER, path: () => '/console/basket', ready: fillWrongly },
  {
    name: 'empty baskets',
    persona: BUYER,
    path: () => '/console/basket',
    ready: async (page) => expect(page.getByText('Every basket is empty')).toBeVisible(),
  },
  {
    name: 'webhooks',
    persona: BUYER,
    path: () => '/console/webhooks',
    ready: async (page) => expect(page.getByRole('button', { name: 'Register an endpoint' })).toBeEnabled(),
  },
  { name: 'a webhook', persona: SELLER, path: () => '/console/webhooks', ready: openTested },
  {
    name: 'files, empty',
    persona: SELLER,
    path: () => '/console/files?status=rejected',
    ready: async (page) => expect(page.getByText('No drop has this status')).toBeVisible(),
  },
  {
    name: 'cards',
    persona: SELLER,
    path: () => '/console/cards',
    ready: async (page) => expect(page.getByRole('grid', { name: 'Rate cards' })).toBeVisible(),
  },
  { name: 'a card', persona: SELLER, path: () => '/console/cards', ready: openCard },
  { name: 'new drop', persona: SELLER, path: () => '/console/files', ready: openNewDrop },
  { name: 'rules', persona: SELLER, path: () => '/console/rules', ready: addRule },
  {
    name: 'creatives',
    persona: BUYER,
    path: () => '/console/creatives',
    ready: async (page) => expect(page.getByRole('grid').or(page.getByText('No creative yet'))).toBeVisible(),
  },
  { name: 'an agreement', persona: SELLER, path: () => '/console/relations', ready: openAgreement },
  {
    name: 'agreements of a buyer',
    persona: BUYER,
    path: () => '/console/relations',
    ready: async (page) => expect(page.getByRole('grid').or(page.getByText('No agreement yet'))).toBeVisible(),
  },
  {
    name: 'standings',
    persona: SELLER,
    path: () => '/console/relations?show=buyers',
    ready: async (page) => expect(page.getByRole('button', { name: 'Set its standing' })).toBeVisible(),
  },
  {
    name: 'profile',
    persona: SELLER,
    path: () => '/console/profile',
    ready: async (page) => expect(page.getByRole('heading', { name: /^Level/ })).toBeVisible(),
  },
  {
    name: 'audit log',
    persona: SELLER,
    path: () => '/console/profile?show=audit',
    ready: async (page) => expect(page.getByRole('grid')).toBeVisible(),
  },
  {
    name: 'profile of a buyer',
    persona: BUYER,
    path: () => '/console/profile',
    ready: async (page) => expect(page.getByText('orders:write')).toBeVisible(),
  },
  ...(['invoices', 'variances', 'makegoods', 'credit'] as const).map((view) => ({
    name: `settlement, ${view}`,
    persona: BUYER,
    path: () => `/console/settlement?view=${view}`,
    ready: async (page: Page) => {
      const read = page
        .getByRole('grid')
        .or(page.getByRole('table'))
        .or(page.getByText(/^(No invoices yet|Nothing is reconciled yet|No makegood yet|No agreements)$/))
      await expect(read.first()).toBeVisible()
    },
  })),
  { name: 'keys', persona: SELLER, path: () => '/console/orders', ready: openKeys },
  { name: 'commands', persona: SELLER, path: () => '/console/orders', ready: openCommands },
]

let viewed: ReturnType<typeof orderInReview> | undefined

/** One order in review that every view shows. */
function orderOfViews() {
  viewed ??= orderInReview()
  return viewed
}

for (const { name, persona, path, ready } of VIEWS) {
  test(`${name} is accessible in both schemes and keeps to its policy`, async ({ browser }) => {
    const { order_id } = await orderOfViews()
    const { page, violations } = await signedIn(browser, persona)
    await page.goto(path(order_id))
    await ready(page)
    expect(await accessFaultsInBothSchemes(page)).toEqual([])
    expect(await violations()).toEqual([])
    await page.context().close()
  })
}

test('the sign-in is accessible in both schemes and keeps to its policy', async ({ page }) => {
  await watchPolicy(page)
  await page.goto('/console/')
  await expect(page.getByRole('button', { name: /Summit Networks/ })).toBeVisible()
  expect(await accessFaultsInBothSchemes(page)).toEqual([])
  expect(await violationsOf(page)).toEqual([])
})

test('/docs lists the operations, keeps to its policy and asks no other host', async ({ page, baseURL }) => {
  const hosts = new Set<string>()
  page.on('request', (request) => hosts.add(new URL(request.url()).origin))
  await watchPolicy(page)
  await page.goto('/docs')
  await expect(page.getByText('Publishing and discovery').first()).toBeVisible()
  expect(await violationsOf(page)).toEqual([])
  expect([...hosts]).toEqual([new URL(baseURL ?? '').origin])
})

async function openCounter(page: Page): Promise<void> {
  await expect(page.getByRole('button', { name: /^Approve/ })).toBeEnabled()
  await page.keyboard.press('2')
  await expect(page.getByRole('radio', { checked: true })).toBeFocused()
  await page.keyboard.press('q')
  await expect(page.getByLabel('USD a unit')).toBeFocused()
}

async function pasteFaults(page: Page): Promise<void> {
  await expect(page.getByText('Paste rates from a spreadsheet')).toBeVisible()
  await paste(page, asText([RATE_HEADER, ...rateRows(['no-such-product'], ['2028-W01'], [15, 30], () => '39x')]))
  await expect(page.getByText('2 faults')).toBeVisible()
}

async function fillWrongly(page: Page): Promise<void> {
  await fill(page, ['4'])
  await page.getByLabel('Units of line 1').fill('0')
  await expect(page.getByText('2 faults to correct')).toBeVisible()
}

/** The change of an agreement that flies after everything else. */
async function openAgreement(page: Page): Promise<void> {
  const body = { buyer_entity: 'harbor-and-vale', effective: { start: '2029-01-01', end: '2029-12-30' } }
  await call(tokenOf('seller', SELLER), 'PUT', '/me/agreements/agr-views', body)
  await page.goto('/console/relations?active=agr-views')
  await page.getByRole('button', { name: 'Change or end it' }).click()
  await expect(page.getByRole('textbox', { name: 'Credit limit' })).toBeVisible()
}

/** An endpoint of this view with a delivery. */
async function openTested(page: Page): Promise<void> {
  const token = tokenOf('seller', SELLER)
  const { endpoint_id } = await call<{ endpoint_id: string }>(token, 'POST', '/webhooks/endpoints', {
    url: 'http://127.0.0.1:9/views',
    statuses: ['failed'],
  })
  await call(token, 'POST', `/webhooks/endpoints/${endpoint_id}/test`)
  await page.goto(`/console/webhooks/${endpoint_id}`)
  await expect(page.getByRole('grid', { name: 'Deliveries' }).getByText('webhook.test')).toBeVisible()
}

async function openCard(page: Page): Promise<void> {
  await page.getByRole('grid', { name: 'Rate cards' }).getByRole('link').first().click()
  await expect(page.getByLabel('Compared with')).toBeVisible()
  await expect(page.getByText(/ unchanged$/)).toBeVisible()
}

async function openNewDrop(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^New drop/ }).click()
  await expect(page.getByRole('dialog', { name: 'New drop' }).getByLabel('Name of the drop')).toBeVisible()
}

async function addRule(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Add a rule/ }).click()
  await expect(page.getByLabel('Gross at most')).toBeVisible()
}

async function openKeys(page: Page): Promise<void> {
  await expect(page.getByRole('grid')).toBeVisible()
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog', { name: 'Keys' }).getByText('Next order').first()).toBeVisible()
}

async function openCommands(page: Page): Promise<void> {
  await expect(page.getByRole('grid')).toBeVisible()
  await page.keyboard.press('Control+k')
  await expect(page.getByLabel('Search or command')).toBeVisible()
}
