import { describe, expect, it } from '@jest/globals'
import { billed, logged, posted, posts, useSellerRows } from '../../support/drops/sellerRows.ts'

const { drop, land, run, due, rows } = useSellerRows()

describe('a later file', () => {
  it('replaces the day of a log whole, and no other day or log', async () => {
    await drop(posts(logged(), logged({ air_time: '21:10' }), logged({ air_date: '2026-12-08' }), logged({ log_id: 'L2' })))
    await due()
    await drop(posts(logged({ air_date: '2026-12-08', air_time: '05:30', order_id: 'ord_2' })))
    expect(await rows('select order_id, air_date, air_time, log_id from as_run_rows order by air_date, air_time, log_id')).toEqual([
      { order_id: 'ord_1', air_date: '2026-12-07', air_time: '20:10', log_id: 'L2' },
      { order_id: 'ord_2', air_date: '2026-12-08', air_time: '05:30', log_id: '' },
      { order_id: 'ord_1', air_date: '2026-12-08', air_time: '20:10', log_id: '' },
    ])
    expect(await due()).toEqual(['ord_1', 'ord_2'])
  })

  it('replaces an invoice whole, unless it comes before what it corrects', async () => {
    await drop(posts(billed({ revision: 2, rate: 90, invoice_gross: 90 }), billed({ revision: 2, rate: 95, air_time: '21:00' })))
    await drop(posts(billed({ revision: 1 }), billed({ revision: 1, order_id: 'ord_2' })))
    expect(await rows('select order_id, rate from billed_rows order by row')).toEqual([
      { order_id: 'ord_1', rate: '90' },
      { order_id: 'ord_1', rate: '95' },
    ])
    expect(await rows('select invoice_number, revision, gross from seller_invoices')).toEqual([
      { invoice_number: 'I-1', revision: '2', gross: '90' },
    ])
    await drop(posts(billed({ revision: 3, order_id: 'ord_2' })))
    expect(await rows('select order_id, rate from billed_rows')).toEqual([{ order_id: 'ord_2', rate: '100' }])
    expect(await due()).toEqual(['ord_1', 'ord_2'])
  })

  it('with the bytes of an earlier one replays it as long as nothing of it is replaced, and counts again once it is', async () => {
    const first = posts(billed({ rate: 80 }), posted({ impressions: 80 }))
    await drop(first)
    await drop(posts(logged()))
    expect(await drop(first)).toMatchObject({ status: 'success', replay_of: expect.any(String) })
    for (const bad of [billed({ rate: 70 }), posted({ impressions: 70 })]) {
      await drop(posts(bad))
      await due()
      const again = await drop(first)
      expect(again).toMatchObject({ status: 'success', rows_written: 2 })
      expect(again).not.toHaveProperty('replay_of')
      expect(await rows('select rate from billed_rows')).toEqual([{ rate: '80' }])
      expect(await rows('select impressions from post_rows')).toEqual([{ impressions: '80' }])
      expect(await due()).toEqual(['ord_1'])
    }
    expect(await drop(first)).toMatchObject({ replay_of: expect.any(String) })
  })

  it('that waits while another may still replace the rows of its bytes is read after that one', async () => {
    const good = posts(billed({ rate: 81 }))
    await drop(good)
    await land(posts(billed({ rate: 71 })))
    await land(good)
    await run()
    expect(await rows('select rate from billed_rows')).toEqual([{ rate: '81' }])
  })

  it('replaces the post of a line, date, audience and stream; of two in a drop the final, then the largest counts, and it says so', async () => {
    const result = await drop(posts(posted({ final: false }), posted({ stream: 'C7' }), posted({ stream: 'C7', impressions: 7 })))
    expect(result.warnings).toMatchObject([{ code: 'REPEATED_POST', message: expect.stringMatching(/^1 audience posts/) }])
    expect((await drop(posts(posted({ impressions: 2000 })))).warnings).toEqual([])
    expect(await rows('select stream, impressions, final from post_rows order by stream')).toEqual([
      { stream: 'C3', impressions: '2000', final: true },
      { stream: 'C7', impressions: '1000.5', final: true },
    ])
    expect(await due()).toEqual(['ord_1'])
  })

  it('says which log or invoice of which drop it replaces, and how many of its rows do not come again', async () => {
    const { drop_id } = await drop(posts(logged(), logged({ air_time: '20:20' }), billed(), billed({ air_time: '21:00' })))
    const { status, warnings } = await drop(
      posts(logged({ air_time: '20:20' }), logged({ air_time: '20:30' }), billed({ rate: 90 }), billed({ air_time: '21:00' })),
    )
    expect(status).toBe('success')
    expect(warnings).toEqual([
      {
        ...{ file: 'posts.jsonl', row: 1, code: 'REPLACED_ROWS' },
        message: `The log of CBL on 2026-12-07 replaces 2 rows of the drop ${drop_id}; 1 of them is at a date and time at which this drop has no row. Logs of one day that are both to count need a log_id each.`,
      },
      { file: 'posts.jsonl', row: 3, code: 'REPLACED_ROWS', message: `The invoice I-1 replaces 2 rows of the drop ${drop_id}.` },
    ])
  })

  it('of a lower revision says that it does not count', async () => {
    const { drop_id } = await drop(posts(logged({ revision: 2 }), posted({ revision: 2 })))
    const { warnings } = await drop(posts(logged({ revision: 1 }), logged({ revision: 1, air_time: '20:20' }), posted({ revision: 1 })))
    expect(warnings).toMatchObject([
      { code: 'OUTRANKED_ROWS', message: expect.stringMatching(/^1 audience posts/) },
      {
        ...{ file: 'posts.jsonl', row: 1, code: 'OUTRANKED_ROWS' },
        message: `The log of CBL on 2026-12-07: 2 rows do not count, since revision 2 of the drop ${drop_id} stands. Send them with a higher revision.`,
      },
    ])
  })

  it('of another seller under the same number leaves it', async () => {
    await drop(posts(billed()))
    await drop(posts(billed({ order_id: 'ord_other', rate: 5 })), 'cable')
    expect(await rows('select seller, rate from billed_rows order by seller')).toEqual([
      { seller: 'cable', rate: '5' },
      { seller: 'station', rate: '100' },
    ])
  })
})

describe('a refused row', () => {
  const stand = async (table: string, columns: string) => rows(`select ${columns} from ${table} order by ${columns}`)

  it.each([
    ['its order', { order_id: 'ord_none' }],
    ['its line', { unit_id: 'none' }],
    ['its length', { spot_length: 'long' }],
    ['its time', { air_time: '99:99' }],
  ])('leaves the earlier row of its spot if it is refused for %s; the others are replaced', async (_, wrong) => {
    const log = (more: object = {}) => [
      logged({ air_time: '20:01', isci: 'A' }),
      logged({ air_time: '20:02', isci: 'B', ...more }),
      logged({ air_time: '20:03' }),
    ]
    const bill = (more: object = {}) => [
      billed({ air_time: '20:01', rate: 50 }),
      billed({ air_time: '20:02', isci: 'B', ...more }),
      billed({ air_time: '20:03' }),
    ]
    await drop(posts(...log({ status: 'Joined in Progress' }), ...bill({ rate: 70 })))
    await due()
    const corrected = [logged({ air_time: '20:09', isci: 'A' }), billed({ air_time: '20:01', rate: 55 })]
    const { status, warnings } = await drop(
      posts(corrected[0] as object, ...log(wrong).slice(1), corrected[1] as object, ...bill(wrong).slice(1)),
    )
    expect(status).toBe('partial')
    expect(await stand('as_run_rows', 'air_time, status')).toEqual([
      { air_time: '20:02', status: 'Joined in Progress' },
      { air_time: '20:03', status: 'Aired' },
      { air_time: '20:09', status: 'Aired' },
    ])
    expect(await stand('billed_rows', 'air_time, rate')).toEqual([
      { air_time: '20:01', rate: '55' },
      { air_time: '20:02', rate: '70' },
      { air_time: '20:03', rate: '100' },
    ])
    const kept = warnings.filter(({ code }) => code === 'KEPT_ROWS').map(({ message }) => message)
    expect(kept).toEqual([
      'The log of CBL on 2026-12-07: 1 row of earlier drops stays in force, since rows were refused or say nothing yet. Send it again with these rows corrected.',
      'The invoice I-1: 1 row of earlier drops stays in force, since rows were refused or say nothing yet. Send it again with these rows corrected.',
    ])
    expect(await due()).toEqual(['ord_1'])
    await drop(posts(...log(), ...bill()))
    expect((await stand('as_run_rows', 'air_time')).map(({ air_time }) => air_time)).toEqual(['20:01', '20:02', '20:03'])
    expect(await stand('billed_rows', 'rate')).toEqual([{ rate: '50' }, { rate: '100' }, { rate: '100' }])
  })

  it.each(['Scheduled', 'Perhaps'])('leaves the earlier row of a spot whose status is %s; the others are replaced', async (status) => {
    await drop(posts(logged({ air_time: '20:01', status: 'Joined in Progress' }), logged({ air_time: '20:02' })))
    await drop(posts(logged({ air_time: '20:01', status }), logged({ air_time: '20:09' })))
    expect(await stand('as_run_rows', 'air_time, status')).toEqual([
      { air_time: '20:01', status: 'Joined in Progress' },
      { air_time: '20:09', status: 'Aired' },
    ])
  })

  it.each([
    ['a row whose day cannot be read', posts(logged({ air_time: '20:01' }), logged({ air_date: 'Monday' }))],
    [
      'a row that cannot be read',
      { ...posts(logged({ air_time: '20:01' })), text: `${posts(logged({ air_time: '20:01' })).text}\n{"record_type": 1e` },
    ],
  ])('leaves every earlier row without a successor beside %s', async (_, file) => {
    await drop(
      posts(logged({ air_time: '20:01', status: 'Joined in Progress' }), logged({ air_time: '20:02' }), logged({ air_time: '20:03' })),
    )
    expect((await drop(file)).status).not.toBe('success')
    const times = (await stand('as_run_rows', 'air_time')).map(({ air_time }) => air_time)
    expect(times).toEqual(['20:01', '20:02', '20:03'])
  })

  it('leaves every earlier row without a successor in a file that cannot be read', async () => {
    await drop(posts(logged({ air_time: '20:01', status: 'Joined in Progress' }), logged({ air_time: '20:02' })))
    const broken = { filename: 'broken.csv', type: 'delivery_posts' as const, text: 'no,header\n1,2' }
    expect(await drop([posts(logged({ air_time: '20:01' })), broken])).toMatchObject({ status: 'partial' })
    expect(await stand('as_run_rows', 'air_time, status')).toEqual([
      { air_time: '20:01', status: 'Aired' },
      { air_time: '20:02', status: 'Aired' },
    ])
  })
})

describe('of two revisions the higher one stays', () => {
  const airedOn = (table: string) => rows(`select air_date, air_time, log_id from ${table} order by air_date, log_id, air_time`)
  const day7 = (more: object = {}) => logged({ air_date: '2026-12-07', ...more })
  const day8 = (more: object = {}) => logged({ air_date: '2026-12-08', ...more })

  it('for each log of a day by itself, whatever else its file has', async () => {
    await drop(
      posts(day7({ revision: 2, air_time: '20:01' }), day8({ air_time: '20:02' }), day8({ air_time: '20:03', log_id: 'L2', revision: 5 })),
    )
    await drop(
      posts(day7({ revision: 1, air_time: '21:01' }), day8({ revision: 1, air_time: '21:02' }), day8({ air_time: '21:03', log_id: 'L2' })),
    )
    expect(await airedOn('as_run_rows')).toEqual([
      { air_date: '2026-12-07', air_time: '20:01', log_id: '' },
      { air_date: '2026-12-08', air_time: '21:02', log_id: '' },
      { air_date: '2026-12-08', air_time: '20:03', log_id: 'L2' },
    ])
  })

  it('when the original comes after its correction, and when it is sent again after it', async () => {
    const original = posts(day7({ air_time: '20:00' }), day7({ air_time: '20:05' }), posted({ impressions: 1 }))
    const corrected = posts(day7({ air_time: '20:01', revision: 1 }), posted({ impressions: 2, revision: 1 }))
    const expected = async () => {
      expect(await airedOn('as_run_rows')).toEqual([{ air_date: '2026-12-07', air_time: '20:01', log_id: '' }])
      expect(await rows('select impressions, revision from post_rows')).toEqual([{ impressions: '2', revision: '1' }])
    }
    await drop(corrected)
    await drop(original)
    await expected()
    await drop({ ...original, text: `${original.text}\n` }) // other bytes, so not a replay
    await expected()
  })

  it('and of equal ones that of the later manifest', async () => {
    await drop(posts(day7({ air_time: '20:00', revision: 3 }), posted({ impressions: 1, revision: 3 })))
    await drop(posts(day7({ air_time: '20:01', revision: 3 }), posted({ impressions: 2, revision: 3 })))
    expect(await airedOn('as_run_rows')).toEqual([{ air_date: '2026-12-07', air_time: '20:01', log_id: '' }])
    expect(await rows('select impressions from post_rows')).toEqual([{ impressions: '2' }])
  })
})
