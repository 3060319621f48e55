import { expect } from '@playwright/test'
import { accessFaultsInBothSchemes } from './support/accessFaults.ts'
import { BUYER, call, credentials, orderInReview, SELLER, tokenOf } from './support/marketplace.ts'
import { polled } from './support/polled.ts'
import { receiver } from './support/receiver.ts'
import { asBuyer, asOperator } from './support/signedIn.ts'
import { test } from './support/test.ts'

test('an operator sees why an order is stuck and wakes its run, by keys', async ({ browser }) => {
  const seller = tokenOf('seller', SELLER)
  const {
    conformance_level: _,
    next_level: __,
    warnings: ___,
    ...profile
  } = await call<Record<string, unknown>>(seller, 'GET', '/me/capabilities')
  const pull = { base_url: 'http://127.0.0.1:9/orders', secret_ref: 'that-is-not-there' }
  await call(seller, 'PUT', '/me/capabilities', { ...profile, approval: 'pull', transports: { pull } })
  try {
    const { order_id } = await orderInReview()
    const { page } = await asOperator(browser)
    await page.goto('/console/')
    await expect(page.getByRole('heading', { name: 'Operations' })).toBeVisible()
    await page.getByRole('button', { name: /^secret missing \d+/ }).click()
    await expect(page).toHaveURL(/reason=secret_missing/)
    await page.getByRole('row', { name: new RegExp(order_id) }).click()
    const bar = page.getByRole('region', { name: 'The order' })
    await expect(bar).toContainText(order_id)
    await expect(bar.getByRole('link', { name: 'Run in Temporal' })).toHaveAttribute('href', new RegExp(`/workflows/order%3A${order_id}$`))
    await page.keyboard.press('Control+Enter')
    await expect(bar.getByRole('status')).toContainText(/It will be looked at within moments|That was asked for already/)
    const { items } = await call<{ items: { target: string; person: string }[] }>(
      tokenOf('operator', 'operations'),
      'GET',
      '/ops/audit?action=order.woken&limit=1',
    )
    expect(items).toMatchObject([{ target: order_id, person: 'Noor Haddad' }])
    await page.goto(`/console/ops?view=connections`)
    await expect(page.getByRole('row', { name: /summit/ })).toContainText('failing')
  } finally {
    await call(seller, 'PUT', '/me/capabilities', profile)
  }
})

test('an operator sends a delivery of a tenant again', async ({ browser }) => {
  const target = await receiver()
  const buyer = tokenOf('buyer', BUYER)
  const { endpoint_id } = await call<{ endpoint_id: string }>(buyer, 'POST', '/webhooks/endpoints', {
    url: `${target.url}?key=of-the-tenant`,
  })
  try {
    const sent = async () => (await call<{ event_id: string }>(buyer, 'POST', `/webhooks/endpoints/${endpoint_id}/test`)).event_id
    const first = await sent()
    await polled(() => target.events).toContain(first)
    target.status = 500
    const second = await sent()
    await polled(() => target.events).toContain(second)
    const { page } = await asOperator(browser)
    await page.goto(`/console/ops?view=deliveries&active=${endpoint_id}`)
    await expect(page.getByRole('row', { name: new RegExp(new URL(target.url).host) })).toContainText(BUYER)
    await expect(page.getByText('of-the-tenant')).toHaveCount(0)
    await page.getByRole('button', { name: 'Send again' }).last().click()
    const resent = async () => {
      const path = `/webhooks/endpoints/${endpoint_id}/deliveries`
      const { items } = await call<{ items: { redelivery_of?: string }[] }>(buyer, 'GET', path)
      return items.filter(({ redelivery_of }) => redelivery_of !== undefined).length
    }
    await polled(resent).toBe(1)
    target.status = 200
    await polled(() => target.events.filter((id) => id === first).length).toBeGreaterThan(1)
  } finally {
    await fetch(`${credentials.base_url}/webhooks/endpoints/${endpoint_id}`, {
      method: 'DELETE',
      headers: { Authorization: `Bearer ${buyer}` },
    })
    target.close()
  }
})

test('tenants have no screen of operators, and operators none of tenants', async ({ browser }) => {
  const { page } = await asBuyer(browser)
  await page.goto('/console/ops')
  await expect(page.getByText('FORBIDDEN').first()).toBeVisible()
  await expect(page.getByRole('navigation', { name: 'Console' }).getByText('Operations')).toHaveCount(0)
  const { page: operator } = await asOperator(browser)
  await operator.goto('/console/orders')
  await expect(operator.getByText('FORBIDDEN').first()).toBeVisible()
})

test('the key of the filter goes to the filter of the screen, whatever is mounted first', async ({ browser }) => {
  const { page } = await asOperator(browser)
  for (let visit = 0; visit < 3; visit += 1) {
    await page.goto('/console/ops')
    await expect(page.getByText('Order mail')).toBeVisible()
    await page.keyboard.press('/')
    await expect(page.getByRole('searchbox', { name: 'Find an order' })).toBeFocused()
  }
})

test('an operator reads an order alone: what holds it up, its timeline, and another try', async ({ browser }) => {
  const { order_id } = await orderInReview()
  const { page } = await asOperator(browser)
  await page.goto(`/console/ops?view=open&order=${order_id}`)
  await page.getByRole('link', { name: 'Timeline' }).click()
  await expect(page.getByRole('heading', { level: 1, name: order_id })).toBeVisible()
  const timeline = page.getByRole('region', { name: 'Timeline' })
  await expect(timeline.getByRole('listitem')).toHaveCount(3)
  await expect(timeline.getByRole('listitem').first()).toContainText('In review')
  await expect(page.getByText('Waits on', { exact: true })).toBeVisible()
  expect(await accessFaultsInBothSchemes(page)).toEqual([])
  await page.keyboard.press('Control+Enter')
  await expect(page.getByRole('status').filter({ hasText: /looked at within moments|asked for already/ })).toBeVisible()
  await page.goto('/console/ops/orders/ord_nothing')
  await expect(page.getByText('NOT_FOUND')).toHaveCount(1)
})
