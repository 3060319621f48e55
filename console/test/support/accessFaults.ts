import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect, type Page, test } from '@playwright/test'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** The rules that look at colors; what the others find is the same in every scheme. */
const OF_COLORS = ['color-contrast', 'link-in-text-block']

/** What axe finds, by all rules unless some are named, when what is moving has come to rest. */
export async function accessFaults(page: Page, rules?: readonly string[]): Promise<string[]> {
  // A busy machine takes half a minute for it.
  test.setTimeout(test.info().timeout + 30_000)
  await page.evaluate(() => Promise.all(document.getAnimations().map((animation) => animation.finished.catch(() => undefined))))
  await page.evaluate(AXE)
  const found = await page.evaluate(async (runOnly) => {
    type Axe = { run(options: object): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> }
    const { axe } = window as unknown as { axe: Axe }
    // The size of targets is a rule of WCAG 2.2, which axe leaves out unless it is asked for.
    const { violations } = await axe.run({
      rules: { 'target-size': { enabled: true } },
      ...(runOnly && { runOnly: { type: 'rule', values: runOnly } }),
    })
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' | ')}`)
  }, rules)
  return [...found, ...(await untoldFaults(page))]
}

/**
 * The fields that show as wrong without saying why to a screen reader, which reads what `aria-errormessage` or `aria-describedby` name. The
 * description of a field says what it takes, and not what is wrong with it. Axe has no such rule.
 */
export function untoldFaults(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const isTold = (field: Element) =>
      ['aria-describedby', 'aria-errormessage']
        .flatMap((name) => field.getAttribute(name)?.split(' ') ?? [])
        .some((id) => !id.endsWith('-description') && document.getElementById(id)?.textContent?.trim())
    const wrong = [...document.querySelectorAll(':is(input, select, textarea)[aria-invalid=true], [data-fault] :is(input, select)')]
    return wrong.filter((field) => !isTold(field)).map((field) => `fault-untold: ${field.outerHTML.slice(0, 200)}`)
  })
}

/** The same in the light and the dark scheme. */
export async function accessFaultsInBothSchemes(page: Page): Promise<string[]> {
  const found: string[] = []
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', colorScheme)
    const faults = await accessFaults(page, colorScheme === 'light' ? undefined : OF_COLORS)
    found.push(...faults.map((fault) => `${colorScheme}: ${fault}`))
  }
  return found
}
