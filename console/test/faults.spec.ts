import { readdirSync, readFileSync } from 'node:fs'
import { expect, type Locator, type Page } from '@playwright/test'
import { untoldFaults } from './support/accessFaults.ts'
import { fill, openGrid } from './support/buying.ts'
import { call, documentOrder, freshName, orderInReview, proposalOrder, tokenOf } from './support/marketplace.ts'
import { ownProducts, paste } from './support/sheet.ts'
import { asBuyer, asSeller, signedIn } from './support/signedIn.ts'
import { test } from './support/test.ts'

/** A seller whose catalog, profile and rules no other spec relies on. */
const STATION = 'lakeshore-28'
const SOURCES = new URL('../src/', import.meta.url)
/** What a person types into. A choice among what the page offers is not wrong by itself. */
const FIELDS = /<(?:TextInput|NumberInput|PasswordInput|Textarea|input)\b/

interface Form {
  /** The sources that have its fields. */
  readonly of: readonly string[]
  readonly open: (page: Page) => Promise<unknown>
  /** Fills in what is wrong, and has it judged. */
  readonly spoil: (page: Page) => Promise<unknown>
  /** The fields that are wrong then. */
  readonly wrong: (page: Page) => readonly Locator[]
}

const LONG = 'x'.repeat(5_000)
const named = (page: Page, ...names: readonly (string | RegExp)[]) => names.map((name) => page.getByLabel(name, { exact: true }))

const BUYERS: Readonly<Record<string, Form>> = {
  'the basket': {
    of: ['screens/basket/OrderFacts.tsx', 'screens/basket/BasketLines.tsx'],
    open: (page) => fill(page, ['4']),
    spoil: async (page) => {
      for (const label of ['Advertiser', 'Your order id']) await page.getByLabel(label).fill('x'.repeat(201))
      await page.getByLabel('Units of line 1').fill('0')
    },
    wrong: (page) => named(page, /^Advertiser/, 'Your order id', 'Units of line 1'),
  },
  'an ask for avails': {
    of: ['screens/find/AskDialog.tsx'],
    open: async (page) => {
      await openGrid(page)
      await page.getByRole('columnheader').getByRole('button', { name: 'ask' }).first().click()
    },
    spoil: async (page) => {
      await page.getByLabel('Start').fill('2027-W99')
      await page.getByLabel('Note').fill(LONG)
      await page.getByRole('button', { name: 'Ask for avails' }).click()
    },
    wrong: (page) => named(page, 'Start', 'Note'),
  },
  'a new creative': {
    of: ['screens/creatives/RegisterDialog.tsx'],
    open: async (page) => {
      await page.goto('/console/creatives')
      await page.getByRole('button', { name: 'Register a creative' }).click()
    },
    spoil: async (page) => {
      await page.getByLabel('Length, seconds').fill('0')
      await page.getByRole('button', { name: 'Register the creative' }).click()
    },
    wrong: (page) => named(page, 'Code', 'Length, seconds'),
  },
  'a new webhook': {
    of: ['screens/webhooks/RegisterDialog.tsx'],
    open: async (page) => {
      await page.goto('/console/webhooks')
      await page.getByRole('button', { name: 'Register an endpoint' }).click()
    },
    spoil: async (page) => {
      await page.getByLabel('Address').fill('nowhere')
      await page.getByRole('button', { name: 'Register the endpoint' }).click()
    },
    wrong: (page) => named(page, 'Address'),
  },
  'the values of a document': {
    of: ['screens/document/UnresolvedValue.tsx'],
    open: async (page) => page.goto(`/console/orders/${(await documentOrder()).order_id}/document`),
    spoil: async () => undefined, // they are as they were read
    wrong: (page) => [page.getByLabel(/^Line 2, /).first()],
  },
  'a cancel': {
    of: ['order/ActDialog.tsx'],
    open: async (page) => {
      await page.goto(`/console/orders/${(await orderInReview({ lines: 1 })).order_id}`)
      await page.getByRole('button', { name: 'Cancel the order' }).click()
    },
    spoil: async (page) => {
      await page.getByLabel('Reason').fill(LONG)
      await page.getByRole('dialog').getByRole('button', { name: 'Cancel the order' }).click()
    },
    wrong: (page) => named(page, 'Reason'),
  },
}

const SELLERS: Readonly<Record<string, Form>> = {
  'a decision': {
    of: ['order/LineDecision.tsx', 'order/DecideBar.tsx', 'order/ReasonField.tsx', 'order/CounterEditor.tsx'],
    open: async (page) => page.goto(`/console/queue?q=${(await orderInReview({ lines: 2, units: 6 })).external_order_id}`),
    spoil: async (page) => {
      await page.getByLabel('Reason').fill(LONG)
      await page.getByRole('button', { name: /^Approve 2 lines/ }).click()
      await expect(page.getByLabel('Reason')).toHaveAttribute('aria-invalid', 'true')
      expect(await untoldFaults(page)).toEqual([])
      await page.getByLabel('Units accepted of line 2').fill('9')
      await page.getByRole('group', { name: 'Line 1' }).getByRole('button', { name: 'Counter' }).click()
      await page.getByRole('button', { name: /^Another amount/ }).click()
      await page.getByLabel('USD a unit').fill('0')
    },
    wrong: (page) => named(page, 'Units accepted of line 2', 'USD a unit'),
  },
  'a plan': {
    of: ['screens/plan/PlanForm.tsx', 'screens/plan/PlanRowEditor.tsx'],
    open: async (page) => {
      const { order_id, product, week } = await proposalOrder()
      await page.goto(`/console/orders/${order_id}/plan`)
      await page.getByLabel('Product').fill(product)
      await page.getByLabel('Week', { exact: true }).fill(week)
      await page.getByLabel('Price on the card').selectOption({ index: 1 })
    },
    spoil: async (page) => {
      await page.getByLabel(/^Gross that you state/).fill('9'.repeat(20))
      await page.getByRole('button', { name: /^Send a plan of 1 line/ }).click()
      await expect(page.getByLabel(/^Gross that you state/)).toHaveAttribute('aria-invalid', 'true')
      expect(await untoldFaults(page)).toEqual([])
      await page.getByRole('button', { name: 'Add a line' }).click()
      await page.getByLabel('Quote instead').first().fill('-1')
      await page.getByLabel('Units').nth(1).fill('none')
      await page.getByRole('button', { name: 'Add a line' }).click()
      await page.getByLabel('Week', { exact: true }).nth(2).fill('soon')
      await page.getByLabel(/^Gross that you state/).fill('much')
    },
    wrong: (page) => [
      page.getByLabel('Quote instead').first(),
      page.getByLabel('Units').nth(1),
      page.getByLabel('Week', { exact: true }).nth(2),
      page.getByLabel(/^Gross that you state/),
    ],
  },
  'a grant of an agreement': {
    of: ['screens/relations/GrantDialog.tsx', 'screens/relations/AgreementForm.tsx'],
    open: async (page) => {
      await page.goto('/console/relations')
      await page.getByRole('button', { name: 'Grant an agreement' }).click()
    },
    spoil: async (page) => {
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Id', { exact: true }).fill('x'.repeat(201))
      await dialog.getByLabel('Buyer', { exact: true }).fill('nobody at all')
      for (const field of await dialog.getByRole('textbox').all()) if ((await field.inputValue()) === '') await field.fill('?'.repeat(3))
      await dialog.getByRole('button', { name: 'Grant the agreement' }).click()
    },
    wrong: (page) => named(page, 'Credit limit', 'Commitment, gross', 'In force to', 'Notice of a cancel, days'),
  },
}

const STATIONS: Readonly<Record<string, Form>> = {
  'an avail': {
    of: ['screens/avails/AvailPanel.tsx'],
    open: async (page) => {
      const product = freshName('fault')
      await ownProducts(STATION, [product])
      await page.goto(`/console/avails?from=2028-W10&q=${product}`)
    },
    spoil: async (page) => {
      await page.getByLabel('Sold, %').fill('900')
      await page.getByLabel('Spots left').fill('many')
      await page.keyboard.press('Control+Enter')
    },
    wrong: (page) => named(page, 'Spots left'),
  },
  'a sheet of rates': {
    of: ['screens/publish/Head.tsx', 'ui/EditGridRow.tsx'],
    open: async (page) => {
      await page.goto('/console/publish/rates')
      await expect(page.getByText('Paste rates from a spreadsheet')).toBeVisible()
      await paste(page, 'product_id\tweek\nnowhere\t2028-W10')
    },
    spoil: async (page) => {
      await page.locator('[role=gridcell][aria-invalid=true]').first().dblclick()
      await expect(page.getByRole('grid').getByRole('textbox')).toHaveAttribute('aria-invalid', 'true')
      expect(await untoldFaults(page)).toEqual([])
      await page.keyboard.press('Escape')
      await page.getByLabel('Card', { exact: true }).fill('x'.repeat(201))
    },
    wrong: (page) => named(page, 'Card'),
  },
  'a profile': {
    of: ['screens/profile/ProfileForm.tsx'],
    open: (page) => page.goto('/console/profile'),
    spoil: async (page) => {
      await expect(page.getByLabel('A quote is open for, minutes')).toBeVisible()
      for (const field of await page.getByRole('main').getByRole('textbox').all()) await field.fill('-1')
      await page.getByRole('button', { name: 'Save the profile' }).click()
    },
    wrong: (page) => named(page, 'A quote is open for, minutes'),
  },
  rules: {
    of: ['screens/rules/RuleForm.tsx'],
    open: async (page) => {
      await call(tokenOf('seller', STATION), 'PUT', '/me/approval-rules', { rules: [{ id: 'held', when: {}, then: 'hold' }] })
      await page.goto('/console/rules')
    },
    spoil: async (page) => {
      await page.getByLabel('Name').fill('x'.repeat(201))
      await page.getByLabel('Gross at most').fill('much')
      await page.keyboard.press('Control+Enter')
    },
    wrong: (page) => named(page, 'Name', 'Gross at most'),
  },
  'a new drop': {
    of: ['screens/files/NewDrop.tsx'],
    open: async (page) => {
      await page.goto('/console/files')
      await page.getByRole('button', { name: /^New drop/ }).click()
      const chooser = page.waitForEvent('filechooser')
      await page.getByRole('button', { name: 'Choose files' }).click()
      await (await chooser).setFiles({ name: 'rates.csv', mimeType: 'text/csv', buffer: Buffer.from(freshName('rates')) })
    },
    spoil: async (page) => {
      await page.getByLabel('Rates from').fill('2029-01-02')
      await page.getByLabel('until').fill('2029-01-01')
      await page.getByRole('button', { name: 'Send 1 file' }).click()
      await expect(page.getByLabel('until')).toHaveAttribute('aria-invalid', 'true')
      expect(await untoldFaults(page)).toEqual([])
      await page.getByLabel('Name of the drop').fill('not a name')
      await page.getByRole('button', { name: 'Send the rest' }).click()
    },
    wrong: (page) => named(page, 'Name of the drop'),
  },
}

async function eachShowsItsFaults(page: Page, forms: Readonly<Record<string, Form>>): Promise<void> {
  test.slow()
  page.setDefaultTimeout(20_000) // so that a failure names its step
  for (const [name, { open, spoil, wrong }] of Object.entries(forms))
    await test.step(name, async () => {
      await open(page)
      await spoil(page)
      for (const field of wrong(page)) await expect(field).toHaveAttribute('aria-invalid', 'true')
      expect(await untoldFaults(page)).toEqual([])
    })
}

/** Sources with fields whose values are never refused: they find or name something, or take digits alone. */
const NEVER_WRONG = [
  'order/OrderFilters.tsx',
  'screens/avails/Avails.tsx',
  'screens/document/LeaveOut.tsx',
  'screens/find/Offers.tsx',
  'screens/find/PriceCell.tsx',
  'screens/find/ProductPicker.tsx',
  'screens/makegoods/Offers.tsx',
  'screens/ops/Ops.tsx',
  'screens/publish/Sheet.tsx',
  'screens/relations/Standings.tsx',
  'screens/settlement/ReconciliationScreen.tsx',
  'screens/settlement/Settlement.tsx',
  'ui/Grid.tsx',
]
/** Sources whose faults another spec looks at, since it alone has what they are about. */
const ELSEWHERE = [
  'screens/document/Questions.tsx',
  'screens/files/Mapper.tsx',
  'screens/files/MappingWords.tsx',
  'screens/makegoods/AnswerActs.tsx',
  'screens/makegoods/NoticeDialog.tsx',
  'screens/makegoods/OfferFields.tsx',
  'screens/makegoods/SellerActs.tsx',
  'screens/relations/Overrides.tsx',
  'screens/relations/ProductPicker.tsx',
  'screens/settlement/VarianceCard.tsx',
  'ui/SignIn.tsx',
]

test('every form is among them', () => {
  const sources = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.tsx'))
  const withFields = sources.filter((name) => FIELDS.test(readFileSync(new URL(name, SOURCES), 'utf8')))
  const walked = [BUYERS, SELLERS, STATIONS].flatMap((forms) => Object.values(forms).flatMap(({ of }) => of))
  expect(withFields.sort()).toEqual([...new Set([...walked, ...NEVER_WRONG, ...ELSEWHERE])].sort())
})

test('in the forms of a buyer a field says what is wrong with it', async ({ browser }) => {
  await eachShowsItsFaults((await asBuyer(browser)).page, BUYERS)
})

test('in the forms of a seller too', async ({ browser }) => {
  await eachShowsItsFaults((await asSeller(browser)).page, SELLERS)
  await eachShowsItsFaults((await signedIn(browser, STATION)).page, STATIONS)
})
