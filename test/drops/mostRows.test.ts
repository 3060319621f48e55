import { expect, it } from '@jest/globals'
import { parquetWriteBuffer } from 'hyparquet-writer'
import { ROWS_PER_DROP_FILE } from '../../src/contract/vocabulary/drops.ts'
import { readFiles } from '../support/files/readFiles.ts'

it('a file of more than a million rows is unreadable', async () => {
  const data = Array<string>(ROWS_PER_DROP_FILE + 1).fill('x')
  const bytes = parquetWriteBuffer({ columnData: ['product_id', 'state'].map((name) => ({ name, data, type: 'STRING' as const })) })
  const { rejected, ends } = await readFiles({ type: 'avails', products: [] }, { 'a.parquet': new Uint8Array(bytes) })
  expect(rejected).toBe(0)
  expect(ends).toMatchObject([{ kind: 'unreadable', file: 0, error: { error_code: 'UNREADABLE_FILE' } }])
  expect(ends[0]).toHaveProperty('error.message', expect.stringContaining('it has more than 1000000 rows'))
}, 60_000)
