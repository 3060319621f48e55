import { expect, type Locator, type Page } from '@playwright/test'
import { BUYER, documentOrder, nobodys, OPERATOR, orderInReview, proposalOrder, SELLER } from './support/marketplace.ts'
import { signedIn } from './support/signedIn.ts'
import { test } from './support/test.ts'

/** A small phone; a screen of 1280 by 800 with a zoom of 200 %; and one with a zoom of 400 %. */
const SIZES = [
  { name: '320 px', width: 320, height: 640 },
  { name: '200 %', width: 640, height: 400 },
  { name: '400 %', width: 320, height: 200 },
] as const

type Ready = (page: Page) => Locator

const grid: Ready = (page) => page.getByRole('grid').first()
const button =
  (name: RegExp): Ready =>
  (page) =>
    page.getByRole('button', { name }).first()

/** The screens on which people act, with what shows once they have been read. */
async function screens(): Promise<readonly { readonly persona: string; readonly places: Readonly<Record<string, Ready>> }[]> {
  const [order, proposal, document] = [await orderInReview({ lines: 3 }), await proposalOrder(), await documentOrder()]
  return [
    {
      persona: SELLER,
      places: {
        [`/queue?q=${order.external_order_id}`]: button(/^Approve 3 lines/),
        '/orders': grid,
        [`/orders/${order.order_id}`]: button(/^Approve 3 lines/),
        [`/orders/${proposal.order_id}/plan`]: button(/^Send a plan/),
        '/avails': (page) => page.getByRole('grid', { name: 'Avails by week' }),
        '/cards': (page) => page.getByRole('grid').or(page.getByText('No card')).first(),
        '/publish/rates': (page) => page.getByText('Paste rates from a spreadsheet'),
        '/rules': button(/rule/i),
        '/relations': button(/^Grant/),
        '/settlement': (page) => page.getByRole('grid').or(page.getByText('No invoices yet')).first(),
        '/profile': (page) => page.getByRole('heading', { name: /^Level/ }),
      },
    },
    {
      persona: BUYER,
      places: {
        [`/find?seller=${SELLER}`]: (page) => page.getByLabel(/^Units of /).first(),
        [`/orders/${order.order_id}`]: button(/^Cancel the order/),
        [`/orders/${document.order_id}/document`]: button(/^Confirm/),
        [`/orders/${order.order_id}/makegoods`]: (page) => page.getByText('No makegood'),
        '/creatives': button(/^Register/),
        '/webhooks': button(/^Register an endpoint/),
        [`/orders/${nobodys('ord')}`]: (page) => page.getByRole('alert').first(),
      },
    },
    {
      persona: OPERATOR,
      places: { '/ops': (page) => page.getByText('Order mail'), '/ops?view=connections': (page) => page.getByText('Order mail') },
    },
  ]
}

/** What can be acted on but not seen: too little of it is in view once it is scrolled to, or something else covers it. */
async function unseen(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const LEAST = 14
    const seen = (element: Element): string | undefined => {
      element.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' })
      const { left, right, top, bottom, width, height } = element.getBoundingClientRect()
      const [from, to] = [Math.max(0, left), Math.min(innerWidth, right)]
      const [above, below] = [Math.max(0, top), Math.min(innerHeight, bottom)]
      const isControl = !element.matches('[role=row], tr')
      const least = isControl ? Math.min(width, innerWidth - 2) - 1 : Math.min(width, LEAST)
      if (to - from < least || below - above < Math.min(height, LEAST)) return `${Math.round(to - from)} x ${Math.round(below - above)} px`
      const hit = document.elementFromPoint((from + to) / 2, (above + below) / 2)
      return hit !== null && (element.contains(hit) || hit.closest('label')?.contains(element)) ? undefined : 'covered'
    }
    const acted = [...document.querySelectorAll('main :is(button, input, select, textarea, [role=row], tr[data-line])')]
    return acted
      .filter((element) => element.checkVisibility({ checkVisibilityCSS: true, checkOpacity: true }) && element.closest('[inert]') === null)
      .slice(0, 80)
      .flatMap((element) => {
        const why = seen(element)
        return why === undefined
          ? []
          : [`${why}: ${element.getAttribute('aria-label') ?? element.textContent?.slice(0, 40)} ${element.tagName}`]
      })
  })
}

for (const { name, width, height } of SIZES) {
  test(`at ${name} everything that is acted on can be seen`, async ({ browser }) => {
    test.setTimeout(240_000)
    const found: string[] = []
    for (const { persona, places } of await screens()) {
      const { page } = await signedIn(browser, persona)
      await page.setViewportSize({ width, height })
      for (const [path, ready] of Object.entries(places)) {
        await page.goto(`/console${path}`)
        await expect(ready(page), path).toBeAttached()
        await page.waitForTimeout(300)
        const wide = await page.evaluate(() => document.documentElement.scrollWidth)
        if (wide > width) found.push(`${path}: ${wide} px wide`)
        found.push(...(await unseen(page)).map((one) => `${path}: ${one}`))
      }
      await page.context().close()
    }
    expect(found).toEqual([])
  })
}
