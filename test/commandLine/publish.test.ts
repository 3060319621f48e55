import { beforeAll, describe, expect, it } from '@jest/globals'
import { writeDropFile } from '../../src/sdk/dropClient/writeDropFile.ts'
import { useCommandLine } from '../support/commandLine.ts'
import { aCard, anAvail, aProduct, aRate } from '../support/orders/published.ts'
import { useMarket } from '../support/useMarket.ts'

const market = useMarket()
const line = useCommandLine()
let station: { baseUrl: string; token: string }
beforeAll(() => {
  station = { baseUrl: market.baseUrl, token: market.station.token }
})

const EFFECTIVE = '2030-06-03..2030-06-30'
const publish = (what: string, file: string, ...args: string[]) => line.as(station, 'publish', what, '-f', file, ...args)

describe('publish', () => {
  it.each(['csv', 'xlsx', 'parquet'] as const)('takes %s with our columns, and says which rows are rejected', async (format) => {
    const prefix = `of-${format}`
    const products = [aProduct(`${prefix}-a`), aProduct(`${prefix}-b`, { spot_lengths: [0] })]
    const catalog = await line.file(`catalog.${format}`, await writeDropFile(format, products))
    const published = await publish('catalog', catalog, '--taxonomy-version', 't1')
    expect([published.code, published.out]).toEqual([1, 'catalog: 1 accepted, 1 rejected\n'])
    expect(published.err).toMatch(new RegExp(`^${catalog}:${format === 'parquet' ? 2 : 3}: spot_lengths.* \\(INVALID_ENTRY\\)$`, 'm'))
    expect(published.err).toMatch(/^1 of 2 entries is rejected\.$/m)
    const rates = await line.file(`rates.${format}`, await writeDropFile(format, [aRate(`${prefix}-a`), aRate('nowhere')]))
    const dry = await publish('rate-cards', rates, '--effective', EFFECTIVE, '--dry-run')
    expect([dry.code, dry.out]).toEqual([1, 'rate-cards: 1 accepted, 1 rejected; nothing was published\n'])
    const priced = await line.json(station, 'publish', 'rate-cards', '-f', rates, '--effective', EFFECTIVE).catch(String)
    expect(priced).toContain('UNKNOWN_PRODUCT_ID')
    const avails = await line.file(`avails.${format}`, await writeDropFile(format, [anAvail(`${prefix}-a`)]))
    expect(await publish('avails', avails)).toMatchObject({ code: 0, out: 'avails: 1 accepted, 0 rejected\n' })
  })

  it('sends a body of JSON byte for byte, so that it can be repeated', async () => {
    const file = await line.file('card.json', aCard('by-json', [aRate('news')], { effective: { start: '2030-06-03', end: '2030-06-30' } }))
    expect(await publish('rate-cards', file)).toMatchObject({ code: 0, out: 'rate-cards: 1 accepted, 0 rejected\n' })
    expect(await publish('rate-cards', file)).toMatchObject({ code: 0 })
    const { code, err } = await publish(
      'rate-cards',
      await line.file('taken.json', aCard('by-json', [aRate('news', { gross_rate_unit: 7 })])),
    )
    expect([code, err]).toEqual([1, expect.stringContaining('CONFLICT')])
  })

  it('takes a list and lines of JSON', async () => {
    const list = await line.file('list.json', [anAvail('news')])
    const lines = await line.file('lines.jsonl', `${JSON.stringify(anAvail('news'))}\n${JSON.stringify(anAvail('nowhere'))}\n`)
    expect(await publish('avails', list)).toMatchObject({ code: 0, out: 'avails: 1 accepted, 0 rejected\n' })
    expect(await publish('avails', lines)).toMatchObject({
      code: 1,
      err: expect.stringMatching(/lines\.jsonl:2: nowhere .*UNKNOWN_PRODUCT_ID/),
    })
  })

  it.each([
    ['no such file', 'nowhere.csv', undefined, [], /^There is no file .*\n$/],
    ['a name without a format', 'catalog.doc', 'x', [], /must end in \.json, \.jsonl, \.csv, \.xlsx or \.parquet\.\n$/],
    ['a damaged workbook', 'catalog.xlsx', 'PK not a zip', [], /^.*catalog\.xlsx.* cannot be read: .*\n$/],
    ['columns of another kind', 'other.csv', 'colour,shape\nred,round\n', ['--taxonomy-version', 't'], /^.*other\.csv:1: .*\n$/],
    ['a header alone', 'empty.csv', 'product_id,type\n', ['--taxonomy-version', 't'], /^.*empty\.csv.*\n$/],
    ['a catalog without a taxonomy', 'plain.csv', undefined, [], /^Name the taxonomy by --taxonomy-version, .*\n$/],
  ])('refuses %s in one sentence', async (_, name, content, args, err) => {
    const made = name === 'plain.csv' ? await writeDropFile('csv', [aProduct('plain')]) : content
    const file = made === undefined ? `${line.folder}/${name}` : await line.file(name, made)
    expect(await publish('catalog', file, ...args)).toEqual({ code: 2, out: '', err: expect.stringMatching(err) })
  })

  it('refuses a window that is none', async () => {
    const rates = await line.file('rates.csv', await writeDropFile('csv', [aRate('news')]))
    expect(await publish('rate-cards', rates)).toMatchObject({
      code: 2,
      err: expect.stringMatching(/^Name the window of the prices by --effective/),
    })
    expect(await publish('rate-cards', rates, '--effective', 'soon')).toMatchObject({
      code: 2,
      err: expect.stringMatching(/^--effective is a first and a last date/),
    })
  })
})
