import { sha256Of } from '../../support/files/uploads.ts'
import { ALWAYS, aCard, aCatalog, anAgreement, anAvail, aProduct, aRate } from '../../support/orders/published.ts'
import { type ContractStory, type ContractWorld, ok, type Reply, refused, same, story } from './world.ts'

const WRITE = 'publishing.md#one-write-model'
let made = 0
/** A name that no earlier run has taken. */
const fresh = (name: string) => `${name}-${Date.now().toString(36)}-${++made}`

export const PUBLISHING: readonly ContractStory[] = [
  story('sellers', 'Sellers within authorized scope, with their level.', 'discovery.md#sellers', async ({ acme }, holds) => {
    await holds('the list has the sellers, each with a level', async () => {
      const { sellers } = ok(await acme.get('/sellers'), 200)
      same(sellers.map(({ seller }: { seller: string }) => seller).includes('cable'), true, 'cable in the list')
      same(
        sellers.every(({ level }: { level: unknown }) => typeof level === 'number'),
        true,
        'a level for each',
      )
    })
  }),
  story('catalog', 'A catalog shows what a buyer may see, and never external_ref.', 'discovery.md#catalog-read', async (world, holds) => {
    const { acme, zenith, station } = world
    const [product_id, external_ref] = [fresh('ref'), fresh('own')]
    await holds('a product is published with the seller’s own reference', async () => {
      same(ok(await station.put('/me/catalog', aCatalog(aProduct(product_id, { external_ref }))), 200).result, 'success', 'the result')
      const own = ok(await station.get('/me/catalog'), 200).products.find((each: Reply['body']) => each.product_id === product_id)
      same(own.external_ref, external_ref, 'external_ref of the own read')
    })
    await holds('buyers see the product without it', async () => {
      const { products, taxonomy_version } = ok(await acme.get('/sellers/station/catalog'), 200)
      const found = products.find((each: Reply['body']) => each.product_id === product_id)
      same([taxonomy_version, found?.product_id, 'external_ref' in (found ?? {})], ['tax-1', product_id, false], 'the product')
    })
    await holds('what is sold by agreement is not shown without one', async () => {
      const { products } = ok(await zenith.get('/sellers/cable/catalog'), 200)
      same(
        products.some((each: Reply['body']) => each.product_id === 'hidden'),
        false,
        'the hidden product in the catalog',
      )
    })
    await holds('two products with one reference refuse the whole request', async () => {
      const twice = aCatalog(aProduct(fresh('a'), { external_ref }), aProduct(fresh('b'), { external_ref }))
      refused(await station.put('/me/catalog', twice), 422, 'DUPLICATE_EXTERNAL_REF')
    })
    await holds('a bad entry is named, and the others are published', async () => {
      const body = ok(await station.put('/me/catalog', aCatalog(aProduct(fresh('c')), aProduct(fresh('d'), { type: 'sky' }))), 200)
      same([body.result, body.accepted, body.rejected, body.errors[0]?.error_code], ['partial', 1, 1, 'INVALID_ENTRY'], 'the reply')
    })
    await holds('what is declared and not priced is a warning with its effect', async () => {
      const { warnings } = ok(await station.put('/me/catalog', aCatalog(aProduct(fresh('e')))), 200)
      const { code, effect } = warnings.find((each: Reply['body']) => each.code === 'UNPRICED_DECLARATION') ?? {}
      same([code, effect], ['UNPRICED_DECLARATION', 'not_orderable'], 'the warning')
    })
  }),
  story(
    'cards',
    'A commit is versioned; a read entry always carries its week.',
    'publishing.md#rate-card-commit',
    async ({ station }, holds) => {
      const commit = fresh('card')
      const card = JSON.stringify(aCard(commit, [aRate('news')]))
      await holds('a commit is published, and the same bytes replay', async () => {
        same(ok(await station.put('/me/rate-cards', card), 200).result, 'success', 'the result')
        same((await station.put('/me/rate-cards', card)).headers.get('x-idempotent-replay'), 'true', 'X-Idempotent-Replay')
      })
      await holds('every entry of the read has a week and a locked_rate_id', async () => {
        const { entries } = ok(await station.get(`/me/rate-cards/${commit}`), 200)
        same(entries.map(({ week }: { week: string }) => week).sort(), ['2026-W50', '2026-W51', '2026-W52'], 'the weeks')
      })
      await holds('both and neither cost are 422; an unknown product is an error of its entry', async () => {
        refused(await station.put('/me/rate-cards', aCard(fresh('x'), [{ ...aRate('news'), gross_rate_cpm: 2 }])), 422, 'INVALID_INPUT')
        const body = ok(await station.put('/me/rate-cards', aCard(fresh('y'), [aRate('news'), aRate('none')])), 200)
        same([body.rejected, body.errors[0]?.error_code], [1, 'UNKNOWN_PRODUCT_ID'], 'the reply')
      })
      await holds('a month whose weeks are priced differently is 409 GRAIN_CONFLICT', async () => {
        const product_id = fresh('monthly')
        ok(await station.put('/me/catalog', aCatalog(aProduct(product_id, { grains: ['week', 'month'] }))), 200)
        const entries = [aRate(product_id), aRate(product_id, { week: '2026-W51', gross_rate_unit: 5 })]
        refused(await station.put('/me/rate-cards', aCard(fresh('z'), entries)), 409, 'GRAIN_CONFLICT')
      })
    },
  ),
  story(
    'avails',
    'Avails have one count by denomination; the read filters by product and week.',
    'publishing.md#avail',
    async (world, holds) => {
      const { acme, station } = world
      await holds('an avail is published; a wrong count and an unknown product are errors of their entries', async () => {
        const entries = [anAvail('news'), anAvail('news', { spots: undefined, units: { available: 3 } }), anAvail('none')]
        const { rejected, errors } = ok(await station.put('/me/avails', { avails: entries }), 200)
        same(
          [rejected, errors.map(({ error_code }: Reply['body']) => error_code)],
          [2, ['INVALID_ENTRY', 'UNKNOWN_PRODUCT_ID']],
          'the reply',
        )
        same(String(errors[0].field).includes('units') || String(errors[0].field).includes('spots'), true, 'a field that names the count')
      })
      await holds('the read has the product and week that were asked for, with the price to cite', async () => {
        const { avails } = ok(await acme.get('/sellers/cable/avails?product_id=prime&weeks=2030-W23&spot_length=30'), 200)
        same([...new Set(avails.map((each: Reply['body']) => each.product_id))], ['prime'], 'the products')
        const weeks = avails.filter((each: Reply['body']) => each.period.grain === 'week').map((each: Reply['body']) => each.period.start)
        same(weeks, ['2030-W23'], 'the weeks')
        const general = avails[0].rates.find((rate: Reply['body']) => rate.advertiser_class === 'general')
        same([general?.locked_rate_id, general?.gross_rate_unit], [world.market.price('prime', '2030-W23'), 1_250.5], 'the price')
      })
      await holds('an entry has spots or units, and never both', async () => {
        const { avails } = ok(await acme.get('/sellers/cable/avails?weeks=2030-W23'), 200)
        same(
          avails.some((each: Reply['body']) => each.spots !== undefined && each.units !== undefined),
          false,
          'an entry with both',
        )
      })
    },
  ),
  story('profile', 'conformance_level is computed, never accepted.', 'levels.md#conformance-level', async ({ station }, holds) => {
    await holds('a sent level changes nothing', async () => {
      const { conformance_level } = ok(await station.put('/me/capabilities', { conformance_level: 4, negotiation: true }), 200)
      same(conformance_level, 1, 'conformance_level')
      same(ok(await station.get('/me/capabilities'), 200).conformance_level, 1, 'conformance_level of the read')
    })
  }),
  story('drops', 'A manifest is 202; what has not landed is 404, another hash 422.', 'files.md#file-drops', async ({ station }, holds) => {
    const drop_id = fresh('drop')
    const bytes = `product_id\n${drop_id}\n`
    const manifest = (sha256: string) => ({ schema_version: '1.0', drop_id, files: [{ filename: 'avails.csv', type: 'avails', sha256 }] })
    await holds('a drop that has not landed is 404', async () => {
      refused(await station.post('/me/files/manifest', manifest(sha256Of(bytes))), 404, 'NOT_FOUND')
    })
    await holds('one that has is 202 processing', async () => {
      const landed = await station.put(`/me/files/${drop_id}/avails.csv`, bytes, 'text/csv')
      if (landed.status !== 201) ok(landed, 200)
      refused(await station.post('/me/files/manifest', manifest('0'.repeat(64))), 422, 'INVALID_INPUT')
      const body = ok(await station.post('/me/files/manifest', manifest(sha256Of(bytes))), 202)
      same([body.drop_id, body.status, body.results_uri], [drop_id, 'processing', `/v1/me/files/${drop_id}`], 'the reply')
    })
  }),
  story('settlement', 'Agreements: pacing and credit are derived; credit requires its agreement.', 'settlement.md#credit', settles),
  story('entries', 'Write model: one product twice in disclosure_overrides refuses the grant.', WRITE, async ({ cable }, holds) => {
    await holds('422 DUPLICATE_DISCLOSURE_OVERRIDE', async () => {
      const disclosure_overrides = [1, 2].map(() => ({ product_id: 'prime', pricing_policy: 'quote' }))
      const grant = anAgreement({ disclosure_overrides })
      refused(await cable.put(`/me/agreements/${fresh('agr')}`, grant), 422, 'DUPLICATE_DISCLOSURE_OVERRIDE')
    })
  }),
]

async function settles({ acme, cable, market }: ContractWorld, holds: Parameters<ContractStory['run']>[1]): Promise<void> {
  const agreement_id = fresh('agr')
  await holds('an agreement is granted, and listed by its buyer', async () => {
    const terms = { settlement_mode: 'cleared', credit_limit: 20_000, commitment_gross: 50_000, effective: ALWAYS }
    const granted = await cable.put(`/me/agreements/${agreement_id}`, anAgreement(terms))
    if (granted.status !== 201) ok(granted, 200)
    const { items } = ok(await acme.get('/agreements?limit=200'), 200)
    same(
      items.some((each: Reply['body']) => each.agreement_id === agreement_id),
      true,
      'the agreement in the list',
    )
  })
  await holds('a cleared order takes the mode of the agreement; one beyond the credit is 422 CREDIT_LIMIT', async () => {
    const { order_id } = ok(await acme.post('/orders', market.order({ agreement_id })), 201)
    same(ok(await acme.get(`/orders/${order_id}`), 200).settlement_mode, 'cleared', 'settlement_mode')
    refused(await acme.post('/orders', market.order({ agreement_id })), 422, 'CREDIT_LIMIT')
  })
  await holds('available is the limit less the exposure; remaining the commitment less what is booked', async () => {
    const credit = ok(await acme.get(`/settlement/credit?agreement=${agreement_id}`), 200)
    same([credit.credit_limit, credit.available], [20_000, credit.credit_limit - credit.exposure], 'credit')
    same(credit.exposure, 12_505, 'exposure')
    const pacing = ok(await acme.get(`/agreements/${agreement_id}/pacing`), 200)
    same(pacing.remaining, pacing.commitment_gross - pacing.booked_gross, 'remaining')
  })
  await holds('credit without an agreement is 422; invoices are lists on both sides', async () => {
    refused(await acme.get('/settlement/credit'), 422, 'INVALID_INPUT')
    for (const reply of [await acme.get('/settlement/invoices'), await cable.get('/me/settlement/invoices')])
      same(Array.isArray(ok(reply, 200).items), true, 'items')
  })
}
