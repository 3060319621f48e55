import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { planDrop, typeOf } from '../../../src/sdk/dropClient/planDrop.ts'
import { type TemporaryFolder, temporaryFolder } from '../../support/files/temporaryFolder.ts'
import { sha256Of } from '../../support/files/uploads.ts'

let home: TemporaryFolder
let folder: string
beforeEach(async () => {
  home = await temporaryFolder()
  folder = join(home.path, 'spring')
  await mkdir(folder)
})
afterEach(() => home.remove())

const put = (name: string, text: string) => writeFile(join(folder, name), text)

describe('the type of a file follows from its name', () => {
  it.each([
    ['catalog.csv', 'catalog'],
    ['2027-Products.XLSX', 'catalog'],
    ['rate_cards.json', 'rate_cards'],
    ['ratecard-q1.parquet', 'rate_cards'],
    ['KTVL rates.csv', 'rate_cards'],
    ['avails_w05.csv', 'avails'],
    ['delivery_posts.csv', 'delivery_posts'],
    ['as-run-2027-02.txt', 'delivery_posts'],
    ['invoice 4711.csv', 'delivery_posts'],
    ['notes.csv', undefined],
    ['catalog-and-rates.csv', undefined],
    ['errors.json', undefined],
  ])('%s: %s', (name, type) => {
    expect(typeOf(name)).toBe(type)
  })
})

describe('a folder without a manifest', () => {
  it('is a drop of the files whose names tell type and format, with their hashes', async () => {
    await put('catalog.csv', 'product_id\n')
    await put('avails.json', '[]')
    await put('readme.md', 'not data')
    await put('avails.docx', 'no format of ours')
    await put('errors.json', '{}')
    await put('.hidden.csv', '')
    const { manifest, paths, leftOut } = await planDrop(folder)
    expect(manifest).toEqual({
      schema_version: '1.0',
      drop_id: expect.stringMatching(/^spring-[0-9a-f]{8}$/),
      files: [
        { filename: 'avails.json', type: 'avails', sha256: sha256Of('[]') },
        { filename: 'catalog.csv', type: 'catalog', sha256: sha256Of('product_id\n') },
      ],
    })
    expect(paths).toEqual(new Map(['avails.json', 'catalog.csv'].map((name) => [name, join(folder, name)])))
    expect(leftOut).toEqual(['avails.docx', 'readme.md'])
  })

  it('has the same drop_id as long as its files are the same', async () => {
    await put('catalog.csv', 'a')
    const first = (await planDrop(folder)).manifest.drop_id
    expect((await planDrop(folder)).manifest.drop_id).toBe(first)
    await put('catalog.csv', 'b')
    expect((await planDrop(folder)).manifest.drop_id).not.toBe(first)
  })

  it('takes the drop_id and reprocess that are asked for', async () => {
    await put('catalog.csv', 'a')
    const { manifest } = await planDrop(folder, { dropId: 'w05', reprocess: true })
    expect(manifest).toMatchObject({ drop_id: 'w05', reprocess: true })
  })
})

describe('a folder with a manifest', () => {
  it('is what the manifest says, with the hashes put in', async () => {
    await put('a.txt', 'x')
    await put(
      'manifest.json',
      JSON.stringify({ schema_version: '1.0', drop_id: 'w05', files: [{ filename: 'a.txt', type: 'catalog', format: 'csv' }] }),
    )
    const { manifest, leftOut } = await planDrop(folder)
    expect(manifest).toEqual({
      schema_version: '1.0',
      drop_id: 'w05',
      files: [{ filename: 'a.txt', type: 'catalog', format: 'csv', sha256: sha256Of('x') }],
    })
    expect(leftOut).toEqual([])
  })

  it.each([
    ['{', /manifest\.json is not JSON/],
    ['[]', /must have files\[\]/],
    ['{"files":[{"filename":"b.csv","type":"catalog"}]}', /lists "b\.csv", which is not in/],
    ['{"files":[{"filename":"../a.csv","type":"catalog"}]}', /lists "\.\.\/a\.csv", which is not in/],
    ['{"files":[{"filename":"a.csv","type":"prices"}]}', /The manifest is refused: files\.0\.type/],
    [
      `{"files":[{"filename":"a.csv","type":"catalog","sha256":"${'0'.repeat(64)}"}]}`,
      /a\.csv has the sha256 .* manifest\.json says 0{64}/,
    ],
  ])('%s is refused with one sentence', async (text, sentence) => {
    await put('a.csv', 'x')
    await put('manifest.json', text)
    await expect(planDrop(folder)).rejects.toThrow(sentence)
  })
})

it.each([
  ['no-such-folder', /^There is no folder .*no-such-folder\.$/],
  ['file.csv', /file\.csv is a file; name the folder/],
])('%s is refused', async (name, sentence) => {
  await put('file.csv', '')
  await expect(planDrop(join(folder, name))).rejects.toThrow(sentence)
})

it('an empty folder is refused with a sentence on how to name files', async () => {
  await expect(planDrop(folder)).rejects.toThrow(/Put catalog, rate_cards, avails or delivery_posts into each name/)
})
