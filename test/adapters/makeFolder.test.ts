import { stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { makeFolder } from '../../src/adapters/files/makeFolder.ts'
import { type TemporaryFolder, temporaryFolder } from '../support/files/temporaryFolder.ts'

let home: TemporaryFolder
beforeAll(async () => {
  home = await temporaryFolder()
})
afterAll(() => home.remove())

const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8)

describe('makeFolder', () => {
  it('makes a folder and those above it with the mode, and leaves one that is there as it is', async () => {
    const path = join(home.path, 'one/two/three')
    await makeFolder(path, 0o700)
    await makeFolder(path, 0o755)
    expect([await modeOf(path), await modeOf(join(path, '..'))]).toEqual(['700', '700'])
  })

  it('makes the folders of many that ask at once', async () => {
    for (let round = 0; round < 50; round += 1) {
      const names = Array.from({ length: 16 }, (_, index) => join(home.path, `round-${round}`, 'a/b', `${index % 4}`))
      await Promise.all(names.map((name) => makeFolder(name, 0o700)))
      for (const name of names) expect((await stat(name)).isDirectory()).toBe(true)
    }
  })

  it('fails where a file is in its place, or above it', async () => {
    const file = join(home.path, 'file')
    await writeFile(file, '')
    await expect(makeFolder(file, 0o700)).rejects.toMatchObject({ code: 'EEXIST' })
    for (const below of ['x', 'x/y']) await expect(makeFolder(join(file, below), 0o700)).rejects.toMatchObject({ code: 'ENOTDIR' })
  })

  it('fails where nothing can be made', async () => {
    await expect(makeFolder('/proc/nothing/here', 0o700)).rejects.toMatchObject({ code: 'ENOENT' })
  })
})
