import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { billed, logged, posted, posts, useSellerRows } from '../../support/drops/sellerRows.ts'

const { drop, due, rows } = useSellerRows()

const file = (filename: string, ...entries: object[]) => ({ ...posts(...entries), filename })
const CONTENT = `order_id, network, broadcast_date, air_date, air_time, isci, unit_id, ran`
/** All that is stored, without the places of rows in files. */
const stored = async () => ({
  logs: await rows(`select ${CONTENT}, log_id, status from as_run_rows order by ${CONTENT}, log_id, status`),
  days: await rows('select network, broadcast_date, log_id, revision from as_run_days order by 1, 2, 3'),
  bills: await rows(`select ${CONTENT}, invoice_number, rate from billed_rows order by ${CONTENT}, invoice_number, rate`),
  invoices: await rows('select invoice_number, gross, spot_count, revision from seller_invoices order by 1'),
  posts: await rows('select unit_id, air_date, audience_code, stream, impressions, final, revision from post_rows order by 1, 2, 3, 4'),
  left: await rows(
    'select (select count(*) from as_run_rows_aside) + (select count(*) from billed_rows_aside) + (select count(*) from refused_posts) as n',
  ),
})

describe('several files of one drop', () => {
  it('add up, and then replace what was there', async () => {
    await drop(file('earlier.jsonl', logged({ air_time: '20:01' }), billed({ air_time: '20:01' })))
    const result = await drop([
      file('morning.jsonl', logged({ air_time: '20:10' }), billed({ air_time: '20:10' })),
      file('evening.jsonl', logged({ air_time: '21:10' }), billed({ air_time: '21:10' })),
    ])
    expect(result).toMatchObject({ status: 'success', rows_written: 4 })
    for (const table of ['as_run_rows', 'billed_rows'])
      expect(await rows(`select file, air_time from ${table} order by air_time`)).toEqual([
        { file: 'morning.jsonl', air_time: '20:10' },
        { file: 'evening.jsonl', air_time: '21:10' },
      ])
  })

  it('leave the same, whichever rows are in which file, and whatever is refused', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(aRow, { maxLength: 8 }),
        fc.array(aRow, { minLength: 1, maxLength: 10 }),
        fc.gen(),
        async (before, sent, draw) => {
          const outcomes: unknown[] = []
          for (const split of [false, true]) {
            for (const table of ['as_run_days', 'as_run_rows', 'seller_invoices', 'billed_rows', 'post_rows', 'reconcile_due'])
              await rows(`delete from ${table}`)
            unique += 1
            if (before.length > 0) await drop(file('before.jsonl', ...before, { unique }))
            await due()
            const files: object[][] = [[], [], []]
            for (const row of split ? shuffled(sent, draw) : sent) files[split ? draw(fc.nat, { max: 2 }) : 0]?.push(row)
            unique += 1
            const { status, rows_written, rows_rejected } = await drop(
              files.flatMap((entries, index) =>
                entries.length === 0 ? [] : [file(`${index}.jsonl`, ...entries, { unique: `${index} ${unique}` })],
              ),
            )
            outcomes.push({ status, rows_written, refused: rows_rejected > 0, due: await due(), ...(await stored()) })
          }
          expect(outcomes[1]).toEqual(outcomes[0])
        },
      ),
      { numRuns: 12 },
    )
  })
})

let unique = 0
const shuffled = <T>(items: readonly T[], draw: fc.GeneratorValue): T[] => {
  const places = draw(() => fc.shuffledSubarray([...items.keys()], { minLength: items.length }))
  return places.map((place) => items[place] as T)
}
const time = fc.constantFrom('20:01', '20:02', '20:03')
const more = fc.record({ revision: fc.constantFrom(0, 0, 0, 1), order_id: fc.constantFrom('ord_1', 'ord_1', 'ord_2', 'ord_none') })
const aRow = fc.oneof(
  fc
    .tuple(more, time, fc.constantFrom(undefined, 'ONE', 'TWO'), fc.constantFrom('Aired', ''))
    .map(([shared, air_time, isci, status]) => logged({ ...shared, air_time, isci, status })),
  fc
    .tuple(more, time, fc.constantFrom('I-1', 'I-2', ''), fc.constantFrom(90, 100))
    .map(([shared, air_time, invoice_number, rate]) => billed({ ...shared, air_time, invoice_number, rate, invoice_gross: rate })),
  fc
    .tuple(fc.constantFrom('C3', 'C7'), fc.constantFrom(1, 2, 3), fc.boolean(), fc.constantFrom(0, 0, 1))
    .map(([stream, impressions, final, revision]) => posted({ stream, impressions, final, revision })),
)
