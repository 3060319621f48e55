import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from '@jest/globals'
import { parquetWriteBuffer } from 'hyparquet-writer'
import { readJsonEntries } from '../../../src/adapters/tables/rowReader/json.ts'
import { ROWS_PER_DROP_FILE } from '../../../src/contract/vocabulary/drops.ts'
import { readFiles } from '../../support/files/readFiles.ts'
import { temporaryFolder } from '../../support/files/temporaryFolder.ts'

it('a json file of more than a million entries breaks at the next one, and all before it count', async () => {
  const folder = await temporaryFolder()
  const path = join(folder.path, 'a.jsonl')
  await writeFile(path, '{}\n'.repeat(ROWS_PER_DROP_FILE + 10))
  let rows = 0
  const reading = (async () => {
    for await (const entries of readJsonEntries(path, 'avails')) rows += entries.length
  })()
  await expect(reading).rejects.toMatchObject({ row: ROWS_PER_DROP_FILE + 1, message: 'it has more than 1000000 entries' })
  expect(rows).toBe(ROWS_PER_DROP_FILE)
  await folder.remove()
}, 120_000)

it('a file of more than a million rows is unreadable', async () => {
  const data = Array<string>(ROWS_PER_DROP_FILE + 1).fill('x')
  const bytes = parquetWriteBuffer({ columnData: ['product_id', 'state'].map((name) => ({ name, data, type: 'STRING' as const })) })
  const { rejected, ends } = await readFiles({ type: 'avails', products: [] }, { 'a.parquet': new Uint8Array(bytes) })
  expect(rejected).toBe(0)
  expect(ends).toMatchObject([{ kind: 'unreadable', file: 0, error: { error_code: 'UNREADABLE_FILE' } }])
  expect(ends[0]).toHaveProperty('error.message', expect.stringContaining('it has more than 1000000 rows'))
}, 60_000)
