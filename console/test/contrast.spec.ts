import { expect, type Page } from '@playwright/test'
import { OPERATOR, SELLER } from './support/marketplace.ts'
import { polled } from './support/polled.ts'
import { signedIn } from './support/signedIn.ts'
import { test } from './support/test.ts'

/** The screens with the most kinds of controls. */
const SCREENS = [
  { name: 'queue', persona: SELLER, path: '/queue', open: undefined },
  { name: 'a new agreement', persona: SELLER, path: '/relations', open: /^Grant/ },
  { name: 'columns of a file', persona: SELLER, path: '/files', open: /^Columns of your own/ },
  { name: 'avails', persona: SELLER, path: '/avails', open: undefined },
  { name: 'operations', persona: OPERATOR, path: '/ops', open: undefined },
] as const

/** Controls whose edge has less than 3:1 against what they stand on, or whose placeholder has less than 4.5:1. Axe looks at neither. */
function faint(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const rgba = (color: string) => (color.match(/[\d.]+/g) ?? []).map(Number)
    const luminance = ([r = 0, g = 0, b = 0]: number[]) =>
      [r, g, b]
        .map((value) => value / 255)
        .map((value) => (value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4))
        .reduce((sum, value, at) => sum + value * ([0.2126, 0.7152, 0.0722][at] ?? 0), 0)
    const ratio = (one: number[], other: number[]) => {
      const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a)
      return (light + 0.05) / (dark + 0.05)
    }
    const isClear = (color: number[]) => color.length === 0 || color[3] === 0
    const groundOf = (element: Element | null): number[] => {
      const own = element === null ? [255, 255, 255] : rgba(getComputedStyle(element).backgroundColor)
      return element !== null && isClear(own) ? groundOf(element.parentElement) : own
    }
    const controls = [...document.querySelectorAll('input, select, textarea')].filter(
      (one) => one.checkVisibility() && !(one as HTMLInputElement).disabled && one.getBoundingClientRect().width > 1,
    )
    return controls.flatMap((control) => {
      const style = getComputedStyle(control)
      const edge = rgba(style.borderTopColor)
      const hasEdge = Number.parseFloat(style.borderTopWidth) > 0 && !isClear(edge)
      const name = control.outerHTML.slice(0, 120)
      const words = control.getAttribute('placeholder') ? rgba(getComputedStyle(control, '::placeholder').color) : undefined
      return [
        ...(hasEdge && ratio(edge, groundOf(control.parentElement)) < 3 ? [`edge: ${name}`] : []),
        ...(words && ratio(words, groundOf(control)) < 4.5 ? [`placeholder: ${name}`] : []),
      ]
    })
  })
}

for (const { name, persona, path, open } of SCREENS) {
  test(`edges of controls and placeholders can be seen in both schemes: ${name}`, async ({ browser }) => {
    const { page } = await signedIn(browser, persona)
    await page.goto(`/console${path}`)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    if (open !== undefined) await page.getByRole('button', { name: open }).first().click()
    if (open !== undefined) await expect(page.getByRole('dialog')).toBeVisible()
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', colorScheme)
      await polled(() => faint(page)).toEqual([])
    }
  })
}
