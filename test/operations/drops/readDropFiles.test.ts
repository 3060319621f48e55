import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from '@jest/globals'
import { readDropFiles } from '../../../src/operations/drops/readDropFiles.ts'
import type { ReadTask } from '../../../src/operations/drops/reader/messages.ts'
import { type TemporaryFolder, temporaryFolder } from '../../support/files/temporaryFolder.ts'
import { until } from '../../support/until.ts'

const HEAD = 'product_id,period.grain,period.start,state,spots.available\n'
let root: TemporaryFolder
let task: ReadTask

beforeEach(async () => {
  root = await temporaryFolder()
  const [folder, path, products] = ['slices', 'a.csv', 'products'].map((name) => join(root.path, name)) as [string, string, string]
  await mkdir(folder)
  const ids = Array.from({ length: 60_000 }, (_, index) => `p${index}`)
  const product = { buy_types: ['preemptible'], grains: ['week'] }
  await writeFile(products, ids.map((product_id) => `${JSON.stringify({ product_id, ...product })}\n`).join(''))
  await writeFile(path, HEAD + ids.map((id) => `${id},week,2030-W23,available,1\n`).join(''))
  task = {
    type: 'avails',
    drop_id: 'drop-1',
    folder,
    products,
    files: [{ filename: 'a.csv', path, format: 'csv', sha256: '0'.repeat(64) }],
  }
})
afterEach(() => root.remove())

it('is at most two slices ahead of its caller, and removes those that were used', async () => {
  const max: number[] = []
  let rows = 0
  for await (const message of readDropFiles(task)) {
    if (message.kind !== 'slice') continue
    const slices = async () => (await readdir(task.folder)).length
    if (max.length === 0) await until(async () => (await slices()) === 3)
    max.push(await slices())
    rows += message.accepted
  }
  expect(rows).toBe(60_000)
  expect(Math.max(...max)).toBe(3)
  expect(await readdir(task.folder)).toEqual([])
})

it('stops when its caller stops, or its signal aborts', async () => {
  for await (const message of readDropFiles(task)) {
    expect(message.kind).toBe('slice')
    break
  }
  const stop = new AbortController()
  const read = async () => {
    for await (const _ of readDropFiles(task, stop.signal)) stop.abort()
  }
  await expect(read()).rejects.toThrow('aborted')
})

it('rejects when a slice cannot be written, which is no fault of the file', async () => {
  await symlink('/dev/full', join(task.folder, 'slice-1'))
  const read = async () => {
    const kinds: string[] = []
    for await (const { kind } of readDropFiles(task)) kinds.push(kind)
    return kinds
  }
  await expect(read()).rejects.toMatchObject({ code: 'ENOSPC' })
})

it('reads nothing where all files were read', async () => {
  for await (const message of readDropFiles({ ...task, after: { file: 1, row: 0 } })) expect(message).toBeUndefined()
})

it('rejects when the reader ends before it reads a file, as where another attempt has removed its folder', async () => {
  const read = async () => {
    for await (const message of readDropFiles({ ...task, products: join(root.path, 'removed') })) expect(message).toBeUndefined()
  }
  await expect(read()).rejects.toThrow('ended before it read one')
})
