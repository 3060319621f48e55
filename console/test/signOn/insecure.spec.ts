import { expect } from '@playwright/test'
import config from '../../playwright.config.ts'
import { credentials, tokenOf } from '../support/marketplace.ts'
import { violationsOf, watchPolicy } from '../support/signedIn.ts'
import { test } from '../support/test.ts'

/** The PUBLIC_URL of the marketplace: an address of another machine to the browser, which sends no Sec-Fetch-Site there. */
const PLAIN = 'http://marketplace.example'
const { host, origin } = new URL(credentials.base_url)

test.use({ launchOptions: { ...config.use?.launchOptions, args: [`--host-resolver-rules=MAP marketplace.example ${host}`] } })

test('at an address that is not secure a person signs in by the page, and out', async ({ page }) => {
  await watchPolicy(page)
  await page.goto(`${PLAIN}/console/orders`)
  expect(await page.evaluate(() => isSecureContext)).toBe(false)
  const sent = page.waitForRequest((request) => request.method() === 'POST' && request.url() === `${PLAIN}/session`)
  await page.getByLabel('Token', { exact: true }).fill(tokenOf('seller', 'cable'))
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page.getByRole('heading', { name: /^Orders/, level: 1 })).toBeVisible()
  const { origin: from, 'sec-fetch-site': site } = await (await sent).allHeaders()
  expect([from, site]).toEqual([PLAIN, undefined])
  const cookies = await page.context().cookies(PLAIN)
  expect(cookies.map(({ name, httpOnly, secure, sameSite }) => [name, httpOnly, secure, sameSite])).toEqual([
    ['session', true, false, 'Strict'],
  ])
  await page.getByRole('button', { name: 'Sign out' }).click()
  await expect(page.getByLabel('Token', { exact: true })).toBeVisible()
  expect(await violationsOf(page)).toEqual([])
})

test('at an address that is not secure a page of another site signs nobody in', async ({ request }) => {
  const signIn = (headers: Record<string, string>) =>
    request.post(`${origin}/session`, { data: { token: tokenOf('seller', 'cable') }, headers })
  const ofOthers: Record<string, string>[] = [
    {},
    { Origin: 'http://elsewhere.example' },
    { Origin: 'null' },
    { Origin: PLAIN, 'Sec-Fetch-Site': 'cross-site' },
  ]
  for (const headers of ofOthers) expect((await signIn(headers)).status()).toBe(403)
  expect((await signIn({ Origin: PLAIN })).status()).toBe(201)
})
