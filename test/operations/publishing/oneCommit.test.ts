import { describe, expect, it } from '@jest/globals'
import type { PutAvails } from '../../../src/contract/avail.ts'
import type { PutCatalog } from '../../../src/contract/product.ts'
import { type PutRateCard, RateEntry } from '../../../src/contract/rateCard.ts'
import { parseAvails, stageAvailsUpdate, writeAvails } from '../../../src/operations/publishing/publishAvails.ts'
import { parseCatalog, stageCatalogUpdate } from '../../../src/operations/publishing/publishCatalog.ts'
import { announceAll, parseRateCard, stageCommit } from '../../../src/operations/publishing/publishRateCard.ts'
import { commitOrDiscard, hideAll } from '../../../src/store/catalog/hidden.ts'
import { withPublishLock } from '../../../src/store/catalog/publishLock.ts'
import { saveCatalog } from '../../../src/store/catalog/saveCatalog.ts'
import { saveCommit } from '../../../src/store/orders/saveCommit.ts'
import { aCard, aCatalog, anAvail, aProduct, aRate } from '../../support/orders/published.ts'
import { useApp } from '../../support/useApp.ts'

const app = useApp()

const CATALOG = aCatalog(aProduct('new')) as PutCatalog
const CARD = aCard('joint', [aRate('new')]) as PutRateCard
const AVAILS = { avails: [anAvail('new')] } as PutAvails

/** Publishes a catalog, a card that prices its products and avails of them in one commit. `last` runs before it ends. */
async function publishTogether(last: () => void): Promise<unknown[]> {
  const [products, entries, counts] = [await parseCatalog(CATALOG), await parseRateCard(CARD), await parseAvails(AVAILS)]
  return withPublishLock(app.deps.db, 'station', async (publishing) => {
    const catalog = await stageCatalogUpdate(publishing, CATALOG, products, 100)
    const card = await stageCommit(publishing, CARD, entries, Buffer.alloc(32), catalog.products)
    if ('replayed' in card) throw new Error('the commit was published before')
    const avails = await stageAvailsUpdate(publishing, AVAILS, counts, catalog.products)
    const hidden = await hideAll([() => saveCatalog(publishing, catalog.update), () => saveCommit(publishing, card.commit, card.prices)])
    await commitOrDiscard(publishing, hidden, async (tx) => {
      await hidden.reveal(tx)
      await announceAll(tx, [card])
      await writeAvails(tx, publishing, avails)
      last()
    })
    return [catalog.reply, JSON.parse(card.commit.reply), avails.reply]
  })
}

const rows = async (table: string) =>
  Number((await app.deps.db.pool.query(`select count(*) from ${table} where seller = 'station'`)).rows[0].count)
const written = async () => Object.fromEntries(await Promise.all(TABLES.map(async (table) => [table, await rows(table)] as const)))
const TABLES = ['products', 'rate_commits', 'rate_entries', 'priced_values', 'avails'] as const

describe('a catalog, its card and its avails in one commit', () => {
  it('leave nothing when the commit fails', async () => {
    const cutOff = () => {
      throw new Error('cut off')
    }
    await expect(publishTogether(cutOff)).rejects.toThrow('cut off')
    expect(await written()).toEqual({ products: 0, rate_commits: 0, rate_entries: 0, priced_values: 0, avails: 0 })
  })

  it('leave nothing when a later part cannot be written', async () => {
    const prices = { entries: [{ index: 0, entry: RateEntry.parse(aRate('new')), weeks: ['2027-W01'] }], values: [], currency: 'USD' }
    const commit = {
      seller: 'station',
      commit: 'half',
      effective: CARD.effective,
      agreementId: undefined,
      bodySha256: Buffer.alloc(32),
      reply: '',
    }
    const isWritten = async () => expect(await rows('rate_entries')).toBe(1)
    const half = withPublishLock(app.deps.db, 'station', (publishing) =>
      hideAll([() => saveCommit(publishing, commit, prices), () => isWritten().then(() => Promise.reject(new Error('cut off')))]),
    )
    await expect(half).rejects.toThrow('cut off')
    expect(await rows('rate_entries')).toBe(0)
    const { rows: unpublished } = await app.deps.db.pool.query(`select unpublished_commit_nos as nos from sellers where seller = 'station'`)
    expect(unpublished).toEqual([{ nos: [] }])
  })

  it('are published together, and card and avails may name products of the same commit', async () => {
    const replies = await publishTogether(() => undefined)
    expect(replies).toMatchObject([1, 2, 3].map(() => ({ result: 'success', accepted: 1, errors: [] })))
    expect(await written()).toMatchObject({ products: 1, rate_commits: 1, rate_entries: 3, avails: 1 })
    const { body } = await app.request.get('/v1/sellers/station/avails').auth(app.tokens.buyers.acme, { type: 'bearer' }).expect(200)
    const [first] = body.avails
    expect(first).toMatchObject({ product_id: 'new', state: 'available', rates: [{ gross_rate_unit: 1250.5 }] })
  })
})
