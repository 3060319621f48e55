import { type ContractStory, ok, parked, refused, same, story } from './world.ts'

const CREATE = 'create.md#create-rules'
const LINE = 'lines-and-money.md#line-item'

export const ORDERING: readonly ContractStory[] = [
  story(
    'create',
    'POST /orders answers 201 submitted; creation returns at once.',
    'create.md#create-response',
    async ({ acme, market }, holds) => {
      const order = market.order()
      const created = await holds('201 has the id, the echo, the buyer and the status', async () => {
        const body = ok(await acme.post('/orders', order), 201)
        same([body.external_order_id, body.buyer_entity, body.status], [order.external_order_id, 'acme', 'submitted'], 'the reply')
        if ('warnings' in body) same(body.warnings, undefined, 'warnings without any')
        return body
      })
      await holds('the snapshot has what was sent and what was derived', async () => {
        const read = ok(await acme.get(`/orders/${created.order_id}`), 200)
        const [line] = read.line_items
        same(
          [read.order_id, read.workflow, read.settlement_mode, read.last_seq],
          [created.order_id, 'catalog', 'direct', 1],
          'the snapshot',
        )
        same(read.created_at, created.created_at, 'created_at')
        same([line.rate.locked_rate_id, line.rate.rate_basis], [market.price('prime', '2030-W23'), 'per_unit'], 'the rate')
        same([line.network, line.units, line.status], ['CBL', 10, 'pending'], 'the line')
      })
    },
  ),
  story(
    'replay',
    'Byte-identical resubmission replays the stored response; other bytes are 409 CONFLICT.',
    CREATE,
    async (world, holds) => {
      const { acme, market } = world
      const body = JSON.stringify(market.order())
      const first = await holds('the first is 201', async () => ok(await acme.post('/orders', body), 201))
      await holds('the same bytes get the same reply, marked as a replay', async () => {
        const again = await acme.post('/orders', body)
        same(ok(again, 201), first, 'the replay')
        same(again.headers.get('x-idempotent-replay'), 'true', 'X-Idempotent-Replay')
      })
      await holds('there is one order', async () => {
        const { orders } = ok(await acme.get(`/orders?external_order_id=${first.external_order_id}`), 200)
        same(orders.length, 1, 'the number of orders')
      })
      await holds('another payload under the same id is 409', async () => {
        refused(
          await acme.post('/orders', market.order({ external_order_id: first.external_order_id, issued_at: '2030-01-01T00:00:00Z' })),
          409,
          'CONFLICT',
        )
      })
    },
  ),
  story('create.refused', 'A create that is wrong is 422 with the field, and creates nothing.', CREATE, async ({ acme, market }, holds) => {
    const order = (more: object) => acme.post('/orders', market.order(more as Record<string, unknown>))
    await holds('a missing advertiser is named in details.missing', async () => {
      const missing = ['buyer_metadata.advertiser_id']
      for (const buyer_metadata of [{}, { advertiser_id: '' }]) refused(await order({ buyer_metadata }), 422, 'INVALID_INPUT', { missing })
    })
    const fields: [string, object][] = [
      ['buyer_metadata.colour', { buyer_metadata: { advertiser_id: 'a', colour: 'red' } }],
      ['buyer_requests.scope', { buyer_requests: { min_separation_seconds: 60, scope: 'pod' } }],
      ['settlement_mode', { settlement_mode: 'cleared' }],
      ['flight', { flight: { start: '2030-06-01', end: '2030-06-02' } }],
    ]
    for (const [field, more] of fields)
      await holds(`${field} is named in details.field`, async () => {
        const { field: named } = refused(await order(more), 422, 'INVALID_INPUT')
        if (!String(named).endsWith(field.split('.').at(-1) ?? '')) same(named, field, 'details.field')
      })
    await holds('zero and two inputs are refused', async () => {
      refused(await order({ line_items: undefined }), 422, 'INVALID_INPUT')
      refused(await order({ request: { request_type: 'open', brief: 'a' } }), 422, 'INVALID_INPUT')
    })
    await holds('an agreement that is none is named', async () => {
      refused(await order({ agreement_id: 'none' }), 422, 'INVALID_INPUT', { agreement_id: 'none' })
    })
    await holds('a notify_url that is not registered is refused', async () => {
      refused(await order({ notify_url: 'https://hooks.example.com/nobody' }), 422, 'INVALID_INPUT')
    })
    await holds('text that is no JSON is 400', async () => {
      refused(await acme.post('/orders', '{"seller": '), 400, 'MALFORMED_REQUEST')
    })
  }),
  story('lines.refused', 'A line that the contract does not know is 422 with its own code.', LINE, async ({ acme, market }, holds) => {
    const order = (line: object) => acme.post('/orders', market.order({ line_items: [line] }))
    const creative = async (length_seconds: number) =>
      ok(await acme.post('/creatives', { creative_code: `C${length_seconds}`, name: 'Spring', length_seconds }), 201).creative_id
    await holds('an unknown product, impressions_goal, two costs, per_second: INVALID_INPUT', async () => {
      refused(await order(market.line({ product_id: 'none' })), 422, 'INVALID_INPUT')
      refused(await order(market.line({ impressions_goal: 5 })), 422, 'INVALID_INPUT')
      refused(await order(market.line({}, { unit_cost: 1_250.5, cpm: 2 })), 422, 'INVALID_INPUT')
      refused(await order(market.line({}, { rate_basis: 'per_second' })), 422, 'INVALID_INPUT')
      refused(await order(market.line({ traffic_instructions: { rotation: 'equal' } })), 422, 'INVALID_INPUT')
    })
    await holds('a grain that the product does not offer: GRAIN_NOT_OFFERED', async () => {
      const cited = { unit_cost: 99.99, locked_rate_id: market.price('weekend', '2030-W23') }
      refused(
        await order(market.line({ product_id: 'weekend', period: { grain: 'day', start: '2030-06-08' } }, cited)),
        422,
        'GRAIN_NOT_OFFERED',
      )
    })
    await holds('creatives: unknown, archived, of another length', async () => {
      const [archived, long] = [await creative(30), await creative(60)]
      ok(await acme.post(`/creatives/${archived}/archive`, undefined), 200)
      refused(await order(market.line({ creative_id: 'none' })), 422, 'UNKNOWN_CREATIVE')
      refused(await order(market.line({ creative_id: archived })), 422, 'REFERENCE_ARCHIVED')
      refused(await order(market.line({ creative_id: long })), 422, 'CREATIVE_LENGTH_MISMATCH')
    })
  }),
  story(
    'warns',
    'A day without a day-grain avail is a warning; it changes nothing.',
    'create.md#create-response',
    async ({ acme, market }, holds) => {
      await holds('201 with DATE_GRAIN_AVAILS_MISSING, one entry per product', async () => {
        const line = market.line({ period: { grain: 'day', start: '2030-06-06' } })
        const { status, warnings } = ok(await acme.post('/orders', market.order({ line_items: [line] })), 201)
        same(
          [status, warnings],
          ['submitted', [{ code: 'DATE_GRAIN_AVAILS_MISSING', product_id: 'prime', dates: ['2030-06-06'] }]],
          'the reply',
        )
      })
    },
  ),
  story(
    'tenants',
    'The acting tenant is resolved from the credential; what is of others reads as 404.',
    'access.md#ids-of-others',
    async (world, holds) => {
      const { acme, zenith, station, cable, nobody, market } = world
      const order_id = await holds('an order exists', () => parked(world))
      await holds('another buyer and another seller get 404', async () => {
        refused(await zenith.get(`/orders/${order_id}`), 404, 'NOT_FOUND')
        refused(await zenith.get(`/events?order=${order_id}`), 404, 'NOT_FOUND')
        refused(await zenith.post(`/orders/${order_id}/cancel`, {}), 404, 'NOT_FOUND')
        refused(await station.get(`/me/orders/${order_id}`), 404, 'NOT_FOUND')
        refused(await station.post(`/me/orders/${order_id}/decide`, { decision: 'approve', actor: 'A' }), 404, 'NOT_FOUND')
      })
      await holds('their lists do not have it', async () => {
        const lists = [await zenith.get('/orders?limit=200'), await station.get('/me/orders?limit=200')].map(
          (reply) => ok(reply, 200).orders,
        )
        const ids = lists.flat().map((order: { order_id: string }) => order.order_id)
        same(ids.includes(order_id), false, 'the order in lists of others')
      })
      await holds('no valid token is 401; the wrong side is 403; a foreign buyer_entity is 403 TENANT_MISMATCH', async () => {
        refused(await nobody.get(`/orders/${order_id}`), 401, 'UNAUTHENTICATED')
        refused(await cable.post('/orders', market.order()), 403, 'FORBIDDEN')
        refused(await acme.post('/orders', market.order({ buyer_entity: 'zenith' })), 403, 'TENANT_MISMATCH')
      })
    },
  ),
  story('books', 'The order book has a status filter and cursors.', 'orders.md#order-book', async (world, holds) => {
    const { acme, cable } = world
    await holds('there are orders in two statuses', async () => {
      for (let order = 0; order < 3; order += 1) await parked(world)
      ok(await acme.post('/orders', world.market.order()), 201)
    })
    for (const [caller, path] of [
      [acme, '/orders'],
      [cable, '/me/orders'],
    ] as const)
      await holds(`${path} has what the filter says, each once over its pages`, async () => {
        const ids: string[] = []
        for (let cursor = '', more = true; more; ) {
          const page = ok(await caller.get(`${path}?status=seller_review&limit=2${cursor}`), 200)
          for (const { order_id, status } of page.orders) {
            same(status, 'seller_review', 'the status of an entry')
            ids.push(order_id)
          }
          if (page.orders.length > 2) same(page.orders.length, 2, 'the entries of a page')
          more = page.next_cursor !== null && ids.length < 500
          cursor = `&cursor=${encodeURIComponent(page.next_cursor ?? '')}`
        }
        same(new Set(ids).size, ids.length, 'the number of different entries')
        if (ids.length < 3) same(ids.length, 3, 'the entries')
      })
    await holds('an unknown status is 422', async () => {
      refused(await acme.get('/orders?status=teleported'), 422, 'INVALID_INPUT')
    })
  }),
]
