import { readFile } from 'node:fs/promises'
import { describe, expect, it } from '@jest/globals'
import { buildScx } from '../../src/domain/edi/buildScx.ts'
import { type ElementRule, SCX_PROFILE } from '../../src/domain/edi/scxProfile.ts'
import { aMessage, aPlacedOrder, TERMS } from '../support/edi/anEdiOrder.ts'
import { sampleDocuments } from '../support/edi/sampleDocuments.ts'

const page = await readFile(new URL('../../docs/buy/receiving-edi.md', import.meta.url), 'utf8')
const samples = await sampleDocuments()

describe('docs/buy/receiving-edi.md', () => {
  it('lists every element and attribute that a document may have, in their order', () => {
    const table = page.slice(page.indexOf('## Elements'), page.indexOf('Not carried:'))
    const rows = [...table.matchAll(/^\| (`[^|]+) \|/gm)].flatMap(([, cells = '']) =>
      [...cells.matchAll(/`([^`]+)`/g)].map(([, path]) => path),
    )
    const allowed = Object.values(SCX_PROFILE).flatMap((rule) => pathsOf(rule, ''))
    // Keys are one type: only some have a status and dates.
    const said = allowed.filter((path) => !/(order|systemOrder)\/key\/(version|status|subStatus|createDate|updateDate)$/.test(path))
    expect(rows.filter((path) => path !== 'campaign/order/key/status').sort()).toEqual(said.sort())
  })

  it('has the event table of what is built', () => {
    const { order, descriptors } = aPlacedOrder()
    for (const event of ['placed', 'revised', 'canceled'] as const) {
      const { status, subStatus } = buildScx(order, aMessage({ event }), TERMS, descriptors).tree.adx.campaign.key[0] ?? {}
      expect(page).toContain(`| \`${status}\` / \`${subStatus}\` |`)
    }
  })
})

describe('docs/examples/edi', () => {
  it.each(Object.entries(samples))('%s is what the code makes: run npm run docs:edi', async (name, content) => {
    expect((await readFile(new URL(`../../docs/examples/edi/${name}`, import.meta.url))).equals(content)).toBe(true)
  })
})

function pathsOf(rule: ElementRule, path: string): string[] {
  const own = [...(rule.text === undefined ? [] : [path]), ...Object.keys(rule.attributes).map((name) => `${path}/@${name}`)]
  return [...own, ...Object.entries(rule.children).flatMap(([name, child]) => pathsOf(child, path === '' ? name : `${path}/${name}`))]
}
