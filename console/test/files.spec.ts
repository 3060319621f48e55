import { expect, type Page } from '@playwright/test'
import { accessFaultsInBothSchemes } from './support/accessFaults.ts'
import { freshName } from './support/marketplace.ts'
import { ownProducts } from './support/sheet.ts'
import { signedIn } from './support/signedIn.ts'
import { test } from './support/test.ts'

const SELLER = 'lakeshore-28'
const HEADER = 'product_id,period.grain,period.start,state,spots.available'

test('files are sent and registered; the rows that were refused are listed with the reason', async ({ browser }) => {
  const product = freshName('file')
  await ownProducts(SELLER, [product])
  const { page } = await signedIn(browser, SELLER)
  await page.goto('/console/files')
  await page.getByRole('button', { name: /^New drop/ }).click()
  const dialog = page.getByRole('dialog', { name: 'New drop' })
  const name = freshName('spec')
  await dialog.getByLabel('Name of the drop').fill(name)
  const rows = [
    HEADER,
    `${product},week,2028-W20,available,12`,
    'no-such-product,week,2028-W20,available,12',
    `${product},week,2028-W21,available,many`,
  ]
  const chooser = page.waitForEvent('filechooser')
  await dialog.getByRole('button', { name: 'Choose files' }).click()
  await (await chooser).setFiles({ name: 'avails.csv', mimeType: 'text/csv', buffer: Buffer.from(rows.join('\n')) })
  await expect(dialog.getByLabel('Type of avails.csv')).toHaveValue('avails')
  await dialog.getByRole('button', { name: 'Send 1 file' }).click()
  await expect(dialog).toBeHidden()
  const detail = page.getByLabel('The drop')
  await expect(detail.getByRole('heading', { name })).toBeVisible()
  await expect(detail.getByText('2 errors')).toBeVisible()
  await expect(detail.getByRole('row').filter({ hasText: 'no-such-product is not a product' })).toBeVisible()
  await expect(detail.getByRole('row').filter({ hasText: 'spots.available' })).toContainText('many')
  expect(await accessFaultsInBothSchemes(page)).toEqual([])
  const download = page.waitForEvent('download')
  await detail.getByRole('button', { name: 'Errors as CSV' }).click()
  expect((await download).suggestedFilename()).toBe(`${name}-errors.csv`)
})

test('a manifest.json registers its drop, and waits for the files that it names', async ({ browser }) => {
  const name = freshName('spec')
  const manifest = {
    schema_version: '1.0',
    drop_id: name,
    files: [{ filename: 'avails.csv', type: 'avails', sha256: 'ab'.repeat(32) }],
  }
  const { page } = await signedIn(browser, SELLER)
  const readAsUnknown = await unknownAtFirst(page, name)
  await page.goto('/console/files')
  await page.getByRole('button', { name: /^New drop/ }).click()
  const dialog = page.getByRole('dialog', { name: 'New drop' })
  const chooser = page.waitForEvent('filechooser')
  await dialog.getByRole('button', { name: 'Choose files' }).click()
  await (await chooser).setFiles({ name: 'manifest.json', mimeType: 'application/json', buffer: Buffer.from(JSON.stringify(manifest)) })
  await expect(dialog.getByLabel('Name of the drop')).toHaveValue(name)
  await dialog.getByRole('button', { name: 'Send 1 file' }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByLabel('The drop').getByText('waits for files that its manifest names')).toBeVisible()
  await expect(page.getByRole('grid', { name: 'File drops' }).getByRole('row').filter({ hasText: name })).toContainText('Waiting')
  expect(readAsUnknown()).toBe(true)
})

test('a name that a drop does not take is changed before anything is sent', async ({ browser }) => {
  const { page } = await signedIn(browser, SELLER)
  await page.goto('/console/files')
  await page.getByRole('button', { name: /^New drop/ }).click()
  const dialog = page.getByRole('dialog', { name: 'New drop' })
  const chooser = page.waitForEvent('filechooser')
  await dialog.getByRole('button', { name: 'Choose files' }).click()
  const long = `${'ü'.repeat(80)} avails.csv`
  await (await chooser).setFiles(
    ['.hidden avails.csv', long].map((name, at) => ({ name, mimeType: 'text/csv', buffer: Buffer.from(`${HEADER}${'\n'.repeat(at)}`) })),
  )
  const names = dialog.getByRole('list', { name: 'Files' }).getByRole('listitem')
  await expect(names.nth(0)).toContainText('hidden avails.csv in place of .hidden avails.csv')
  await expect(names.nth(1)).toContainText(`${'ü'.repeat(62)}.csv in place of ${long}`)
  const name = freshName('named')
  await dialog.getByLabel('Name of the drop').fill(name)
  await dialog.getByRole('button', { name: 'Send 2 files' }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByLabel('The drop').getByRole('heading', { name })).toBeVisible()
})

test('what is wrong with a drop is said once, at its field', async ({ browser }) => {
  const { page } = await signedIn(browser, SELLER)
  await page.goto('/console/files')
  await page.getByRole('button', { name: /^New drop/ }).click()
  const dialog = page.getByRole('dialog', { name: 'New drop' })
  const chooser = page.waitForEvent('filechooser')
  await dialog.getByRole('button', { name: 'Choose files' }).click()
  await (await chooser).setFiles([{ name: 'avails.csv', mimeType: 'text/csv', buffer: Buffer.from(HEADER) }])
  await page.route('**/v1/me/files/manifest', (route) => {
    const message = 'drop_id must not be a name of the marketplace.'
    const errors = [{ pointer: '/drop_id', field: 'drop_id', error_code: 'INVALID_INPUT', message }]
    return route.fulfill({
      status: 422,
      json: { error_code: 'INVALID_INPUT', error_message: message, recoverable: 'correctable', details: { errors } },
    })
  })
  await dialog.getByRole('button', { name: 'Send 1 file' }).click()
  await expect(dialog.getByRole('alert')).toContainText('The drop is not sent')
  await expect(dialog.getByText(/must not be a name of the marketplace/i)).toHaveCount(1)
})

test('a drop that does not exist is a page that says so', async ({ browser }) => {
  const { page } = await signedIn(browser, SELLER)
  await page.goto('/console/files?drop=of-somebody-else')
  await expect(page.getByText('There is no such drop.')).toBeVisible()
})

/** Answers the first read of a drop as if no worker had found its manifest yet. Returns whether it was read so. */
async function unknownAtFirst(page: Page, dropId: string): Promise<() => boolean> {
  const body = { error_code: 'NOT_FOUND', message: 'There is no such drop.', request_id: 'req_of_the_spec', details: {} }
  let wasRead = false
  await page.route(
    `**/v1/me/files/${dropId}`,
    async (route) => {
      wasRead = true
      await route.fulfill({ status: 404, json: body })
    },
    { times: 1 },
  )
  return () => wasRead
}
