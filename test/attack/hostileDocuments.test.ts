import { beforeAll, expect, it } from '@jest/globals'
import type { UploadFormat } from '../../src/contract/vocabulary.ts'
import { uploaded } from '../support/files/uploads.ts'
import { xlsxOf } from '../support/orders/buysheets.ts'
import { takesDocuments } from '../support/orders/documentOrders.ts'
import { startBystander } from './support/bystander.ts'
import { scale } from './support/scale.ts'
import { report } from './support/table.ts'
import { expectWithin } from './support/timing.ts'
import { usePlatform } from './support/usePlatform.ts'
import { besideQuiet, quiet, victim } from './support/victim.ts'

const { market, moved, worstLag } = usePlatform()
const bystander = startBystander()
beforeAll(() => takesDocuments(market))
market.beforeStop(() => bystander.stop())

const ROWS = 390
const COLUMNS = 256
const filled = (cell: string) => Array.from({ length: ROWS }, () => Array<string>(COLUMNS).fill(cell))
const HEAD = 'Product,Week,Length,Units,Rate,Advertiser Class'
const csv = (...lines: string[]) => Buffer.from(`${[HEAD, ...lines].join('\n')}\n`)
const many = (line: string, count: number) => Array<string>(count).fill(line)

/** Small files that are expensive to read, each in another way. */
const DOCUMENTS: [string, UploadFormat, () => Buffer | Promise<Buffer>][] = [
  ['100,000 cells that share a string of 1,000 parentheses', 'xlsx', () => xlsxOf({ rows: filled('('.repeat(1_000)) })],
  [
    '100,000 plain cells',
    'csv',
    () =>
      Buffer.from(
        filled('12')
          .map((row) => row.join(','))
          .join('\n'),
      ),
  ],
  ['long cells of separators', 'csv', () => csv(...many(`${'-–'.repeat(500)},${'a - '.repeat(250)},:30,1,1,x`, 500))],
  [
    '500 lines of long words',
    'csv',
    () => csv(...many(`${'prime weekend spring '.repeat(12)},2030-W23,:30,10,1250.50,${'x'.repeat(250)}`, 500)),
  ],
  ['500 lines that are in order', 'csv', () => csv(...many('prime,2030-W23,:30,10,1250.50,general', 500))],
  ['16,000 lines', 'csv', () => csv(...many('prime,2030-W23,:30,10,1250.50,general', 16_000))],
]

it('hostile documents of one buyer delay neither the worker nor the orders of another', async () => {
  const order = () => moved(market.zenith, market.order(), 'seller_review')
  await quiet(order, { calls: scale(3, 5) }) // warms everything up
  const calm = await quiet(order, { calls: scale(6, 100) })

  const attackedFrom = Date.now()
  await bystander.worstLag()
  const documents = Array.from({ length: scale(1, 5) }, () => DOCUMENTS).flat()
  const attack = Promise.all(
    documents.map(async ([, format, bytes]) => {
      const upload_id = await uploaded(market, market.acme, await bytes(), format)
      return moved(market.acme, market.order({ line_items: undefined, document: { upload_id, format } }), ['failed', 'needs_confirmation'])
    }),
  )
  const attacked = await victim(order, attack)
  const [lag, noise] = [await worstLag(attackedFrom), await bystander.worstLag()]
  report('hostile documents', {
    lag_ms: lag,
    machine_lag_ms: noise,
    ...besideQuiet(calm, attacked),
    documents: documents.length,
  })
  await attack
  expect(attacked.failures).toEqual([])
  expectWithin(attacked.p99, Math.max(5 * calm.p99, 500))
  expectWithin(lag, Math.max(100, 3 * noise))
}, 180_000)
