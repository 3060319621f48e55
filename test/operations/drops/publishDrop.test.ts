import { beforeAll, describe, expect, it } from '@jest/globals'
import { openSpool } from '../../../src/operations/drops/spool.ts'
import { type FileToDrop, ingest, landDrop, landFiles, STAGES } from '../../support/drops/drops.ts'
import { useDrops } from '../../support/drops/useDrops.ts'
import { temporaryFolder } from '../../support/files/temporaryFolder.ts'
import { aCard, aCatalog, anAvail, aProduct, aRate } from '../../support/orders/published.ts'
import { bookOrders } from '../../support/settlement/bookOrders.ts'

const { app, deps, name, result } = useDrops()

const file = (filename: string, type: FileToDrop['type'], body: unknown): FileToDrop => ({ filename, type, text: JSON.stringify(body) })
const catalog = (...products: object[]) => file('catalog.json', 'catalog', aCatalog(...products))
const card = (commit: string, entries: object[], more: object = {}) =>
  file(`${commit}.json`, 'rate_cards', aCard(commit, entries, more as Record<string, unknown>))
const avails = (...sent: object[]) => file('avails.json', 'avails', { avails: sent })
const put = (path: string, body: object) =>
  app.request.put(`/v1/me/${path}`).auth(app.tokens.sellers.station, { type: 'bearer' }).send(body)
const drop = async (...files: FileToDrop[]) => {
  await landDrop(deps, name, files)
  await ingest(deps, name)
  return result()
}
const rows = async (sql: string, ...values: unknown[]) => (await app.deps.db.pool.query(sql, values)).rows
const count = async (table: string) => Number((await rows(`select count(*) from ${table} where seller = 'station'`))[0].count)
const product = async (id: string) => (await rows(`select body from products where seller = 'station' and product_id = $1`, id))[0]?.body
const notices = async (type: string) =>
  (await rows(`select distinct body from notices where tenant in ('station', 'acme') and body::json->>'event_type' = $1`, type)).map(
    ({ body }) => JSON.parse(body),
  )

describe('a bundled drop (contract, File drops)', () => {
  it('stages catalog rows, then rates, then avails, whatever the order of its files', async () => {
    const body = await drop(avails(anAvail('new')), card('bundle', [aRate('new')]), catalog(aProduct('new')))
    expect(body).toMatchObject({ status: 'success', rows_written: 3, errors: [] })
    expect(await deps.drops.exists(`station/${name.drop_id}/success.json`)).toBe(true)
    expect(body.counts).toMatchObject({ catalog: { rows_written: 1 }, rate_cards: { rows_written: 1 }, avails: { rows_written: 1 } })
    const read = await app.request.get('/v1/sellers/station/avails').auth(app.tokens.buyers.acme, { type: 'bearer' }).expect(200)
    expect(read.body.avails[0]).toMatchObject({ product_id: 'new', rates: [{ gross_rate_unit: 1250.5 }] })
    expect(await notices('catalog.rate_card_published')).toEqual([
      expect.objectContaining({ data: expect.objectContaining({ commit: 'bundle' }) }),
    ])
  })

  it('takes files with names as people write them', async () => {
    const named = { ...catalog(aProduct('named')), filename: 'Katalog – final (März) 50%.json' }
    expect(await drop(named)).toMatchObject({ status: 'success', rows_written: 1 })
    const bad = { ...avails(anAvail('nobody')), filename: 'Avails & more.json' }
    expect((await drop(bad)).errors).toMatchObject([{ file: 'Avails & more.json', error_code: 'UNKNOWN_PRODUCT_ID' }])
  })

  it('leaves no product of a failed row for a new product: its dependents are UNKNOWN_PRODUCT_ID', async () => {
    const failed = aProduct('failed', { mirror_product_id: 'nowhere' })
    const body = await drop(catalog(failed), card('c2', [aRate('failed')]), avails(anAvail('failed')))
    expect(body).toMatchObject({ status: 'rejected', rows_written: 0, rows_rejected: 3 })
    expect(
      body.errors.map((error: { file: string; error_code: string; value: string }) => [error.file, error.error_code, error.value]),
    ).toEqual([
      ['catalog.json', 'UNKNOWN_PRODUCT_ID', 'nowhere'],
      ['c2.json', 'UNKNOWN_PRODUCT_ID', 'failed'],
      ['avails.json', 'UNKNOWN_PRODUCT_ID', 'failed'],
    ])
    expect(await product('failed')).toBeUndefined()
  })

  it('carries the prior definition of an existing product forward; its dependents validate against it', async () => {
    await put('catalog', aCatalog(aProduct('kept', { buy_types: ['audience_guaranteed'] }))).expect(200)
    const body = await drop(
      catalog(aProduct('kept', { buy_types: ['preemptible'], mirror_product_id: 'nowhere' })),
      avails(anAvail('kept', { spots: undefined, units: { available: 4 } })),
    )
    expect(body).toMatchObject({ status: 'partial', counts: { avails: { rows_written: 1 } }, errors: [{ file: 'catalog.json' }] })
    expect(await product('kept')).toMatchObject({ buy_types: ['audience_guaranteed'] })
  })

  it('is rejected whole by an integrity failure, and the notice to the seller names the drop', async () => {
    const before = [await count('products'), await count('rate_entries'), await count('avails')]
    const twins = [aProduct('t1', { external_ref: 'same' }), aProduct('t2', { external_ref: 'same' })]
    const body = await drop(catalog(...twins), card('c3', [aRate('new')]), avails(anAvail('new', { spots: { available: 99 } })))
    expect(body).toMatchObject({
      status: 'rejected',
      rows_written: 0,
      errors: [{ file: 'catalog.json', error_code: 'DUPLICATE_EXTERNAL_REF', value: 'same' }],
    })
    expect([await count('products'), await count('rate_entries'), await count('avails')]).toEqual(before)
    expect(await notices('catalog.integrity_failed')).toEqual([
      expect.objectContaining({
        data: { error_code: 'DUPLICATE_EXTERNAL_REF', details: expect.objectContaining({ drop_id: name.drop_id }) },
      }),
    ])
  })

  it('that was rejected whole is processed again when it is sent again', async () => {
    await put('catalog', aCatalog(aProduct('holder', { external_ref: 'held' }))).expect(200)
    const files = [catalog(aProduct('heir', { external_ref: 'held' }))]
    expect(await drop(...files)).toMatchObject({ status: 'rejected', errors: [{ error_code: 'DUPLICATE_EXTERNAL_REF' }] })
    await put('catalog', aCatalog(aProduct('holder', { external_ref: 'free' }))).expect(200)
    name.drop_id = `${name.drop_id}-b`
    expect(await drop(...files)).toMatchObject({ status: 'success', rows_written: 1 })
  })

  it('is rejected by a month that its cards price unlike', async () => {
    const byMonth = catalog(aProduct('monthly', { grains: ['week', 'month'] }))
    const one = card('c4', [aRate('monthly')])
    const other = card('c5', [aRate('monthly', { week: '2026-W51', gross_rate_unit: 1 })])
    const body = await drop(byMonth, one, other)
    expect(body).toMatchObject({
      status: 'rejected',
      rows_written: 0,
      rows_rejected: 3,
      errors: [{ error_code: 'GRAIN_CONFLICT', value: 'monthly' }],
    })
    expect(await product('monthly')).toBeUndefined()
    expect(await rows(`select unpublished_commit_nos as left from sellers where seller = 'station'`)).toEqual([{ left: [] }])
  })

  it('publishes several cards; one whose name has other content is CONFLICT at its first row', async () => {
    await put('rate-cards', aCard('taken', [aRate('new')])).expect(200)
    const body = await drop(
      card('taken', [aRate('new', { gross_rate_unit: 5 })]),
      card('free1', [aRate('new')]),
      card('free2', [aRate('new', { spot_length: 15 })]),
    )
    expect(body).toMatchObject({
      status: 'partial',
      rows_written: 2,
      rows_rejected: 1,
      errors: [{ file: 'taken.json', row: 1, error_code: 'CONFLICT', field: 'commit' }],
    })
    const commits = await rows(`select commit from rate_commits where commit like 'free%' order by commit_no`)
    expect(commits).toEqual([{ commit: 'free1' }, { commit: 'free2' }])
  })

  it('answers a card of a file that was dropped before as it did then', async () => {
    const again = card('again', [aRate('new'), aRate('missing')])
    const first = await drop(again)
    name.drop_id = `${name.drop_id}-b`
    const second = await drop(again, avails(anAvail('new', { spots: { available: 7 } })))
    expect(second.counts.rate_cards).toEqual(first.counts.rate_cards)
    expect(second.errors).toEqual(first.errors)
    expect(await rows(`select count(*)::int as prices from rate_entries where commit = 'again'`)).toEqual([{ prices: 3 }])
  })
})

describe('rates that were refused', () => {
  const prices = async (commit: string) =>
    (
      await rows(`select distinct product_id, spot_length from rate_entries where seller = 'station' and commit = $1 order by 1, 2`, commit)
    ).map(({ product_id, spot_length }) => `${product_id} ${spot_length}`)
  const again = async (files: FileToDrop[], more = {}) => {
    name.drop_id = `${name.drop_id}-b`
    await landDrop(deps, name, files, more)
    await ingest(deps, name)
    return result()
  }

  it.each([
    ['with a commit name', {}, (id: string) => [card(`late-${id}`, [aRate('new'), aRate(id)])]],
    ['by reprocess', { reprocess: true }, (id: string) => [card(`late-${id}`, [aRate('new'), aRate(id)])]],
    [
      'without a commit name',
      { effective: { start: '2026-12-07', end: '2026-12-27' } },
      (id: string) => [file(`rates-${id}.json`, 'rate_cards', [aRate('new'), aRate(id)])],
    ],
  ])('are taken once their product is published, when they are sent again %s', async (way, more, filesOf) => {
    const id = `late ${way}`.replaceAll(' ', '-')
    const files = filesOf(id)
    const first = await again(files, more)
    expect(first).toMatchObject({ status: 'partial', rows_written: 1, errors: [{ error_code: 'UNKNOWN_PRODUCT_ID', value: id }] })
    if (!('reprocess' in more)) {
      const { rows_written, errors } = first
      const replay = await again(files, more)
      expect(replay).toMatchObject({ rows_written, errors, replay_of: first.drop_id })
      expect(replay.warnings[0]).toMatchObject({ code: 'REPLAYED_RESULT', row: 0 })
    }
    await drop(catalog(aProduct(id)))
    const second = await again(files, more)
    expect(second).toMatchObject({ status: 'success', rows_written: 2, errors: [] })
    expect(second).not.toHaveProperty('replay_of')
    if (!('reprocess' in more))
      expect(await again(files, more)).toMatchObject({ status: 'success', rows_written: 2, replay_of: second.drop_id })
    expect(await rows(`select count(*)::int as prices from rate_entries where product_id = $1`, id)).toEqual([{ prices: 3 }])
  })

  it('are taken when they are sent again, also where their product was published while the drop was still in progress', async () => {
    const files = [catalog(aProduct('own')), card('meanwhile', [aRate('own'), aRate('meanwhile')])]
    await landDrop(deps, name, files)
    for (const stage of ['fetch', 'publish'] as const) await STAGES[stage](deps, name, new AbortController().signal)
    await put('catalog', aCatalog(aProduct('meanwhile'))).expect(200)
    await ingest(deps, name)
    expect(await result()).toMatchObject({ status: 'partial', errors: [{ error_code: 'UNKNOWN_PRODUCT_ID' }] })
    expect(await again(files)).toMatchObject({ status: 'success', rows_written: 3, errors: [] })
  })

  it('are not checked again for the products that their own drop has published', async () => {
    const files = [catalog(aProduct('its-own')), card('its-own', [aRate('its-own'), aRate('never')])]
    const first = await again(files)
    expect(first).toMatchObject({ status: 'partial', errors: [{ value: 'never' }] })
    expect(await again(files)).toMatchObject({ replay_of: first.drop_id })
  })

  it('are completed by a corrected file under the same commit name; a row that would change a price is CONFLICT', async () => {
    const csv = (filename: string, ...lines: string[]) => ({
      filename,
      type: 'rate_cards' as const,
      text: [
        'commit,effective.start,effective.end,product_id,market_class,advertiser_class,spot_length,buy_type,gross_rate_unit',
        ...lines,
      ].join('\n'),
    })
    const row = (length: string, cost: string) => `mended,2026-12-07,2026-12-27,new,scatter,general,${length},preemptible,${cost}`
    expect(await again([csv('a.csv', row('30', '100'), row('15', '$5'))])).toMatchObject({
      status: 'partial',
      rows_written: 1,
      errors: [{ row: 3 }],
    })
    expect(await again([csv('b.csv', row('30', '100.00'), row('15', '5'))])).toMatchObject({ status: 'success', rows_written: 2 })
    expect(await prices('mended')).toEqual(['new 15', 'new 30'])
    const changed = await again([csv('c.csv', row('30', '99'), row('15', '5'), row('60', '7'))])
    expect(changed).toMatchObject({ status: 'partial', rows_written: 2, rows_rejected: 1 })
    expect(changed.errors).toMatchObject([{ file: 'c.csv', row: 2, error_code: 'CONFLICT', field: 'commit', value: 'mended' }])
    expect(await prices('mended')).toEqual(['new 15', 'new 30', 'new 60'])
    expect(await rows(`select distinct gross_rate_unit as cost from rate_entries where commit = 'mended' and spot_length = 30`)).toEqual([
      { cost: '100' },
    ])
  })

  it('of one commit may be in several files of a drop', async () => {
    const of = (filename: string, ...entries: object[]) => file(filename, 'rate_cards', aCard('split', entries))
    const body = await again([of('s1.json', aRate('new')), of('s2.json', aRate('new', { spot_length: 15 }), aRate('new'))])
    expect(body).toMatchObject({ status: 'partial', rows_written: 2, errors: [{ file: 's2.json', row: 2, error_code: 'INVALID_ENTRY' }] })
    expect(body.errors[0].message).toContain('row 1 of s1.json')
    expect(await prices('split')).toEqual(['new 15', 'new 30'])
    const other = file('s3.json', 'rate_cards', aCard('split2', [aRate('new')], { effective: { start: '2026-12-07', end: '2026-12-13' } }))
    const mixed = await again([file('s4.json', 'rate_cards', aCard('split2', [aRate('new')])), other])
    expect(mixed.errors).toMatchObject([{ file: 's3.json', row: 1, error_code: 'CONFLICT', field: 'commit' }])
  })
})

describe('the files of a drop', () => {
  it('that are gone or have changed when it is read reject it, and nothing is written', async () => {
    await landDrop(deps, name, [catalog(aProduct('x')), avails(anAvail('new'))])
    await landFiles(deps, name, [catalog(aProduct('y'))])
    await deps.drops.delete(`station/${name.drop_id}/avails.json`)
    expect(await ingest(deps, name)).toEqual(['fetch'])
    expect(
      (await result()).errors.map(({ file, row, error_code }: { file: string; row: number; error_code: string }) => [
        file,
        row,
        error_code,
      ]),
    ).toEqual([
      ['catalog.json', 0, 'SHA256_MISMATCH'],
      ['avails.json', 0, 'FILE_MISSING'],
    ])
    expect(await product('x')).toBeUndefined()
    expect(await deps.drops.exists(`station/${name.drop_id}/errors.json`)).toBe(true)
  })

  it('that change after they were fetched change nothing', async () => {
    await landDrop(deps, name, [catalog(aProduct('fetched'))])
    await STAGES.fetch(deps, name, new AbortController().signal)
    await landFiles(deps, name, [catalog(aProduct('replaced'))])
    await ingest(deps, name)
    expect([await product('fetched'), await product('replaced')]).toEqual([expect.anything(), undefined])
  })

  it('are fetched again where the spool is another', async () => {
    await landDrop(deps, name, [catalog(aProduct('elsewhere')), avails(anAvail('elsewhere'))])
    const other = await temporaryFolder()
    await STAGES.fetch(deps, name, new AbortController().signal)
    await ingest({ ...deps, spool: openSpool(other.path) }, name)
    await other.remove()
    expect(await result()).toMatchObject({ status: 'success', rows_written: 2 })
  })

  it('that have changed when they are fetched again say so, and the others are written', async () => {
    await landDrop(deps, name, [catalog(aProduct('kept')), avails(anAvail('kept'))])
    const other = await temporaryFolder()
    await STAGES.fetch(deps, name, new AbortController().signal)
    await landFiles(deps, name, [avails(anAvail('new'))])
    await ingest({ ...deps, spool: openSpool(other.path) }, name)
    await other.remove()
    expect(await result()).toMatchObject({
      status: 'partial',
      rows_written: 1,
      errors: [
        {
          ...{ file: 'avails.json', row: 0, error_code: 'UNREADABLE_FILE' },
          message: 'avails.json cannot be read: it was replaced or removed after the manifest was registered.',
        },
      ],
    })
  })

  it('with more wrong rows than a result lists say so', async () => {
    const wrong = Array.from({ length: 10_001 }, () => aRate('new', { spot_length: 0 }))
    expect(await drop(card('wrong', wrong))).toMatchObject({ status: 'rejected', rows_rejected: 10_001, errors_truncated: true })
  })
})

describe('two at once', () => {
  it('drops of two sellers, and publishes over the API beside them, lose no update', async () => {
    const others = { seller: 'cable', drop_id: 'cables' }
    const products = Array.from({ length: 40 }, (_, index) => aProduct(`p${index}`))
    await landDrop(deps, name, [
      catalog(...products),
      card(
        'wide',
        products.map(({ product_id }) => aRate(product_id)),
      ),
    ])
    await landDrop(deps, others, [catalog(...products), avails(...products.map(({ product_id }) => anAvail(product_id)))])
    const published = Array.from({ length: 8 }, (_, index) => put('catalog', aCatalog(aProduct(`api${index}`))).expect(200))
    const priced = put('rate-cards', aCard('beside', [aRate('new')])).expect(200)
    await Promise.all([ingest(deps, name), ingest(deps, others), priced, ...published])
    const found = await rows(
      `select count(*)::int as n from products where seller = 'station' and (product_id like 'p%' or product_id like 'api%')`,
    )
    expect(found).toEqual([{ n: 48 }])
    expect(await rows(`select count(*)::int as n from rate_commits where commit in ('wide', 'beside')`)).toEqual([{ n: 2 }])
    expect(await rows(`select count(*)::int as n from avails where seller = 'cable'`)).toEqual([{ n: 40 }])
  })
})

describe('delivery posts', () => {
  const posts = (filename: string, ...entries: object[]) => ({
    filename,
    type: 'delivery_posts' as const,
    text: entries.map((entry) => JSON.stringify(entry)).join('\n'),
  })
  const billed = (more: object = {}) => ({
    ...{ record_type: 'invoice', seller_order_id: 'S-1', network: 'CBL', air_date: '2026-12-07', air_time: '20:10', spot_length: 30 },
    ...{ invoice_number: 'I-1', invoice_date: '2026-12-28', broadcast_month: '2026-12', currency: 'USD', run_code: 'Y', rate: 100 },
    ...more,
  })
  const stored = () => rows(`select file, rate from billed_rows where seller = 'station' order by file, row`)

  beforeAll(() => bookOrders(app.deps.db, { order_id: 'ord_s1', seller_order_id: 'S-1' }))

  it('replace an invoice whole, unless the one there has a higher revision', async () => {
    expect(await drop(posts('one.jsonl', billed(), billed({ air_time: '21:10' })))).toMatchObject({
      status: 'success',
      counts: { delivery_posts: { rows_written: 2 } },
    })
    name.drop_id = `${name.drop_id}-b`
    await drop(posts('two.jsonl', billed({ rate: 90, revision: 2 })))
    expect(await stored()).toEqual([{ file: 'two.jsonl', rate: '90' }])
    name.drop_id = `${name.drop_id}-c`
    await drop(posts('three.jsonl', billed({ rate: 80, revision: 1 })))
    expect(await stored()).toEqual([{ file: 'two.jsonl', rate: '90' }])
  })
})
