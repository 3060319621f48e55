import { readFileSync } from 'node:fs'
import { expect, type Locator, type Page } from '@playwright/test'
import { ADVERTISER, gridRead } from './support/buying.ts'
import { BUYER, call, documentOrder, freshName, orderOf, proposalOrder, SELLER, tokenOf } from './support/marketplace.ts'
import { polled } from './support/polled.ts'
import { numbers } from './support/random.ts'
import { asBuyer } from './support/signedIn.ts'
import { test } from './support/test.ts'

/** A seller that other specs order nothing from. */
const STATION = 'ktvl-10'

/** What has been on a page for a shorter time than this is not sent. */
const SHOWN_MS = 400

interface Sent {
  readonly version: string | undefined
  readonly body: { readonly action?: string; readonly plan_id?: string; readonly line_items?: readonly OrderedLine[] }
}

interface OrderedLine {
  readonly units: number
  readonly rate: { readonly unit_cost: number }
}

/** What the page posts to paths that match, in the order of sending. */
function postsOf(page: Page, path: RegExp): Sent[] {
  const sent: Sent[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST' && path.test(request.url()))
      sent.push({ version: request.headers()['if-match'], body: request.postDataJSON() as Sent['body'] })
  })
  return sent
}

/**
 * Sends as a hand does that began to move before: reads what the page shows, and after a pause, by the clock of the page, presses the keys that
 * send. Returns what was shown when the hand began to move.
 */
function readAndSend(shown: Locator, pause: number): Promise<string> {
  return shown.evaluate(async (element, wait) => {
    const read = element.textContent ?? ''
    await new Promise((done) => setTimeout(done, wait))
    window.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', ctrlKey: true }))
    return read
  }, pause)
}

/** Presses a button if it can be pressed, by the clock of the page. */
const press = (button: Locator) => button.evaluateAll((found) => (found[0] as HTMLButtonElement | undefined)?.click())

for (const seed of [1, 2, 3]) {
  test(`whatever plans its seller sends, the one that was shown is confirmed (${seed})`, async ({ browser }) => {
    test.slow()
    const random = numbers(seed)
    const order = await proposalOrder()
    const unitsOf = new Map<string, string>()
    const plan = async (units: number) => {
      const path = `/me/orders/${order.order_id}/plan`
      const expires_at = new Date(Date.now() + 86_400_000).toISOString()
      await call(tokenOf('seller', SELLER), 'POST', path, { line_items: [{ ...order.line, units }], plan_totals: {}, expires_at })
      const read = await call<{ artifacts: { name: string; plan_id: string }[] }>(
        tokenOf('seller', SELLER),
        'GET',
        `/me/orders/${order.order_id}`,
      )
      unitsOf.set(read.artifacts.find(({ name }) => name === 'plan_proposal')?.plan_id ?? '', String(units))
    }
    await plan(101)
    const { page } = await asBuyer(browser)
    const sent = postsOf(page, /\/confirm$/)
    await page.goto(`/console/orders/${order.order_id}/plan`)
    const units = page.getByRole('region', { name: 'Plan' }).getByRole('cell', { name: /^\d{3}$/ })
    await expect(units).toBeVisible()
    const dialog = page.getByRole('dialog')
    const colleague: Promise<unknown>[] = []
    const meant: string[] = []
    for (let round = 0; round < 8 && sent.length === 0; round += 1) {
      // The last rounds are without the colleague, so that one is confirmed.
      if (round < 6)
        colleague.push(
          page
            .waitForTimeout(random() * 900)
            .then(() => plan(102 + round))
            .catch(() => undefined),
        )
      await page.waitForTimeout(random() * 900)
      meant.push(await readAndSend(units, random() * (SHOWN_MS - 20)))
      await expect(dialog).toBeVisible()
      if (random() < 0.3) await page.waitForTimeout(random() * 700)
      if (random() < 0.4) {
        await press(dialog.getByRole('button', { name: 'Continue with the order as it is now' }))
        const now = dialog.getByText(/^\d{3} units$/)
        meant.push(...(await now.allTextContents()).map((text) => text.slice(0, 3)), (await units.textContent()) ?? '')
      }
      await press(dialog.getByRole('button', { name: 'Confirm the order' }))
      await page.waitForTimeout(100)
      // What was sent may be refused, because another plan has come: then the dialog says so and stays.
      await expect(async () => {
        if (await dialog.isVisible()) await page.keyboard.press('Escape')
        await expect(dialog).toBeHidden({ timeout: 1_000 })
      }).toPass()
    }
    await Promise.all(colleague)
    expect(sent.length).toBeGreaterThan(0)
    for (const { body } of sent) expect(meant).toContain(unitsOf.get(body.plan_id ?? ''))
  })

  test(`whatever a colleague does to a document, what is confirmed is the state that was shown (${seed})`, async ({ browser }) => {
    test.slow()
    const random = numbers(seed)
    const order = await documentOrder()
    const { last_seq } = await orderOf(order.order_id)
    const { page } = await asBuyer(browser)
    const sent = postsOf(page, /\/confirm$/)
    await page.goto(`/console/orders/${order.order_id}/document`)
    await page
      .getByRole('combobox', { name: /^Line \d+, rate/ })
      .first()
      .selectOption({ index: 1 })
    const ready = page.getByText('Every line can be ordered.')
    await expect(ready).toBeVisible()
    const path = `/orders/${order.order_id}/${random() < 0.5 ? 'cancel' : 'confirm'}`
    const body = path.endsWith('cancel') ? { actor: 'Sam Ito' } : { action: 'reject', actor: 'Sam Ito', reason: 'another channel' }
    const colleague = page
      .waitForTimeout(random() * 900)
      .then(() => call(tokenOf('buyer', BUYER), 'POST', path, body))
      .catch(() => undefined)
    await page.waitForTimeout(random() * 900)
    const read = await ready.count()
    if (read > 0) await readAndSend(page.getByRole('main'), random() * SHOWN_MS)
    await page.waitForTimeout(random() * 300)
    await press(page.getByRole('dialog').getByRole('button', { name: 'Confirm the order' }))
    await colleague
    for (const { version, body: confirmed } of sent) expect([version, confirmed.action]).toEqual([`"${last_seq}"`, 'confirm'])
    const mine =
      sent.length > 0 &&
      (await call<{ events: { decision_record?: { actor: string } }[] }>(tokenOf('buyer', BUYER), 'GET', `/events?order=${order.order_id}`))
    const { status } = await orderOf(order.order_id)
    if (mine === false) expect(status).toBe('canceled')
    else if (status !== 'canceled') expect(mine.events.some(({ decision_record }) => decision_record?.actor === 'Elena Ortiz')).toBe(true)
  })
}

test('whatever card its seller publishes, a basket is ordered at the units and prices that it shows', async ({ browser }) => {
  test.slow()
  const random = numbers(4)
  const { page } = await asBuyer(browser)
  const sent = postsOf(page, /\/v1\/orders$/)
  await page.goto(`/console/find?seller=${STATION}`)
  await gridRead(page)
  await page.keyboard.press('Enter')
  await page.keyboard.type('3')
  await page.keyboard.press('Control+Enter')
  await page.getByLabel('Advertiser').fill(ADVERTISER)
  await expect(page.getByText(/^Total USD/)).toBeVisible()
  const colleague = page.waitForTimeout(random() * 900).then(() => call(tokenOf('seller', STATION), 'PUT', '/me/rate-cards', dearerCard()))
  await page.waitForTimeout(random() * 900)
  const row = page.getByRole('row').filter({ has: page.getByLabel('Units of line 1') })
  const shown = await readAndSend(row, random() * SHOWN_MS)
  await colleague
  await polled(() => sent.length).toBeGreaterThan(0)
  for (const { body } of sent) {
    const [line] = body.line_items ?? []
    expect(line?.units).toBe(3)
    expect(shown).toContain(line?.rate.unit_cost.toLocaleString('en-US', { minimumFractionDigits: 2 }))
  }
})

/** The card of the station with other prices. */
function dearerCard(): object {
  const example = readFileSync(new URL('../../docs/examples/ktvl-10-rate-card.json', import.meta.url), 'utf8')
  const card = JSON.parse(example) as { entries: { gross_rate_unit?: number }[] }
  const entries = card.entries.map((entry) => ({ ...entry, ...(entry.gross_rate_unit && { gross_rate_unit: entry.gross_rate_unit + 7 }) }))
  return { ...card, commit: freshName('dearer'), entries }
}
