import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { expect, type Route } from '@playwright/test'
import { accessFaultsInBothSchemes } from './support/accessFaults.ts'
import { orderInReview, orderOf, SELLER } from './support/marketplace.ts'
import { queueIsEmpty, queueOf } from './support/orderList.ts'
import { polled } from './support/polled.ts'
import { asSeller } from './support/signedIn.ts'
import { test } from './support/test.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

test('401 midway: the sign-in opens over the page, and drafts are kept for the same tenant alone', async ({ browser }) => {
  const order = await orderInReview()
  const { page } = await asSeller(browser)
  await page.goto(`/console/orders/${order.order_id}`)
  await page.getByLabel('Reason', { exact: true }).fill('Half a thought')
  await expect(page.getByRole('button', { name: /^Approve/ })).toBeEnabled()
  await page.context().clearCookies()
  await page.keyboard.press('Control+Enter') // a click would wait for a button that sign-in may cover by then
  const dialog = page.getByRole('dialog', { name: 'Sign in' })
  await expect(dialog).toContainText('Your session has ended')
  expect(await accessFaultsInBothSchemes(page)).toEqual([])
  await expect(page.getByText('tv-').first()).toBeVisible()
  await page.keyboard.press('Control+Enter')
  await dialog.getByRole('button', { name: /Summit Networks/ }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByLabel('Reason', { exact: true })).toHaveValue('Half a thought')
  await expect(page.getByRole('button', { name: /^Approve/ })).toBeEnabled()
  expect((await orderOf(order.order_id)).status).toBe('seller_review')

  await page.context().clearCookies()
  await page.keyboard.press('Control+Enter') // a click would wait for a button that sign-in may cover by then
  await dialog.getByRole('button', { name: /Elena Ortiz/ }).click()
  await expect(page.getByText('Elena Ortiz, buyer')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Cancel the order' })).toBeVisible()
  await expect(page.getByText('Half a thought')).toBeHidden()
})

test('a revoked token ends its sessions', async ({ page }) => {
  const token = credentialTool('issue', '--tenant', SELLER, '--side', 'seller').trim()
  await page.goto('/console/orders')
  await page.getByLabel('Token', { exact: true }).fill(token)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page.getByRole('heading', { name: /^Orders/ })).toBeVisible()
  credentialTool('revoke', token)
  await expect(async () => {
    await page.reload()
    await expect(page.getByLabel('Token', { exact: true })).toBeVisible({ timeout: 5_000 })
  }).toPass({ timeout: 30_000 })
})

test('a write with the token of a session that was replaced is refused in words, and the next one is taken', async ({ browser }) => {
  const order = await orderInReview()
  const { page } = await asSeller(browser)
  const approve = await queueOf(page, order)
  const stale = (route: Route) => route.continue({ headers: { ...route.request().headers(), 'x-csrf-token': 'of-the-session-before' } })
  await page.route('**/decide', stale, { times: 1 })
  const reread = page.waitForResponse('**/session')
  await approve.click()
  await expect(page.getByRole('alert')).toContainText('FORBIDDEN')
  expect((await reread).status()).toBe(200)
  expect((await orderOf(order.order_id)).status).toBe('seller_review')
  await approve.click()
  await queueIsEmpty(page)
})

test('a write of another site, or without the token of its session, is refused', async ({ browser }) => {
  const order = await orderInReview()
  const { page } = await asSeller(browser)
  const { csrf } = (await (await page.context().request.get('/session')).json()) as { csrf: string }
  const approve = (headers: Record<string, string>) =>
    page.context().request.post(`/v1/me/orders/${order.order_id}/decide`, { data: { decision: 'approve', actor: 'x' }, headers })
  for (const headers of [{}, { 'X-CSRF-Token': 'guessed' }, { 'X-CSRF-Token': csrf, 'Sec-Fetch-Site': 'cross-site' }])
    expect((await approve(headers)).status()).toBe(403)
  expect((await orderOf(order.order_id)).status).toBe('seller_review')
})

test('a tab notices that another tab has signed out, or in as somebody else', async ({ browser }) => {
  const { page } = await asSeller(browser)
  const other = await page.context().newPage()
  for (const tab of [page, other]) {
    await tab.goto('/console/orders')
    await expect(tab.getByText('Priya Raman, seller')).toBeVisible()
  }
  await page.getByRole('button', { name: 'Sign out' }).click()
  await expect(other.getByLabel('Token', { exact: true })).toBeVisible()
  await expect(other.getByRole('grid')).toBeHidden()

  await page.getByRole('button', { name: /Summit Networks/ }).click()
  await expect(other.getByText('Priya Raman, seller')).toBeVisible()
  await page.context().clearCookies()
  await page.goto('/console/queue')
  await page.getByRole('button', { name: /Elena Ortiz/ }).click()
  await expect(other.getByText('Another tab has signed in as Elena Ortiz of northlight-media')).toBeVisible()
  await expect(other.getByText('Elena Ortiz, buyer')).toBeVisible()
})

test('another site can neither frame the page nor does its script read the cookie of the session', async ({ browser, baseURL }) => {
  const { page } = await asSeller(browser)
  await page.goto('/console/queue')
  await expect(page.getByRole('heading', { name: /^Queue/ })).toBeVisible()
  expect(await page.context().cookies(baseURL)).toMatchObject([{ name: 'session', httpOnly: true, sameSite: 'Strict' }])
  expect(await page.evaluate(() => document.cookie)).toBe('')
  // Of this machine too, since browsers keep the pages of other sites from its addresses before they ask.
  const frame = `<iframe src="${new URL('/console/queue', baseURL).href}"></iframe>`
  const site = createServer((_, response) => response.setHeader('Content-Type', 'text/html').end(frame)).listen(0, '127.0.0.1')
  await once(site, 'listening')
  const other = await page.context().newPage()
  const refused = other.waitForEvent('console', (message) => message.text().includes('frame-ancestors'))
  await other.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/`)
  await refused
  await polled(() => other.frames().map((one) => one.url())).toContain('chrome-error://chromewebdata/')
  site.close()
})

/** Credentials are issued and revoked from the command line of the marketplace that is driven. */
function credentialTool(...args: string[]): string {
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, DATA_DIR: process.env.MARKETPLACE_DATA }
  return execFileSync(process.execPath, ['--import', 'tsx', 'src/cli/token.ts', ...args], { cwd: ROOT, env, encoding: 'utf8' })
}
