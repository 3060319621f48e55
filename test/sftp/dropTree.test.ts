import { beforeEach, describe, expect, it } from '@jest/globals'
import { openDropTree } from '../../sftp/dropTree.ts'
import { madeFolders } from '../../sftp/madeFolders.ts'
import { placeOf } from '../../sftp/place.ts'
import type { ObjectStorage } from '../../src/adapters/files/objectStorage/storage.ts'
import { BYTES_PER_DROP } from '../../src/contract/vocabulary/drops.ts'
import { chunksOf } from '../support/files/objects.ts'
import { useApp } from '../support/useApp.ts'

const app = useApp()
const MAX_FILES = 128
beforeEach(() => app.deps.drops.delete('cable'))

/** The objects that were opened to be read: one that nobody reads to its end would keep its file open. */
let opened: string[] = []
beforeEach(() => {
  opened = []
})

/** A tree over a store that lists each object as so large. */
function treeWith(size = 1) {
  const { drops } = app.deps
  const sized: ObjectStorage = {
    ...drops,
    get(name) {
      opened.push(name)
      return drops.get(name)
    },
    async *list(prefix) {
      for await (const object of drops.list(prefix)) yield { ...object, size }
    },
  }
  return openDropTree(sized, madeFolders(), 'cable', async () => new Map())
}
const put = (path: string) => app.deps.drops.put(`cable/${path}`, chunksOf('x'))
const fill = async (drop: string, files: number) => {
  for (let n = 0; n < files; n += 1) await put(`${drop}/f${n}.csv`)
}
const roomFor = (path: string, size: number, tree = treeWith()) => {
  const place = placeOf(path)
  if (place.kind !== 'file') throw new Error(`${path} is no file`)
  return tree.requireRoom(place, size)
}

describe('a folder with as many files as it may have', () => {
  it('takes no other file, also by a rename from another folder, and keeps what it has', async () => {
    await fill('full', MAX_FILES)
    await put('other/a.csv')
    await expect(roomFor('/full/new.csv', 1)).rejects.toThrow(`at most ${MAX_FILES} files`)
    await expect(treeWith().rename('/other/a.csv', '/full/new.csv')).rejects.toThrow(`at most ${MAX_FILES} files`)
    expect((await treeWith().stat('/other/a.csv')).size).toBe(1)
    expect(opened).toEqual([])
  })

  it('takes a file that replaces one, and renames within itself', async () => {
    await fill('full', MAX_FILES)
    await put('other/a.csv')
    await roomFor('/full/f0.csv', 1)
    expect(await treeWith().rename('/other/a.csv', '/full/f0.csv')).toBe(1)
    expect(await treeWith().rename('/full/f1.csv', '/full/new.csv')).toBe(1)
    expect(await treeWith().rename('/full/new.csv', '/full/new.csv')).toBe(1)
    await expect(treeWith().stat('/full/f1.csv')).rejects.toThrow()
    await expect(treeWith().rename('/full/f1.csv', '/full/x.csv')).rejects.toThrow()
  })
})

it('a folder takes as many bytes as a drop may have, and not one more', async () => {
  await fill('large', 2)
  const half = BYTES_PER_DROP / 2
  await roomFor('/large/f0.csv', half, treeWith(half)) // beside f1
  await expect(roomFor('/large/f0.csv', half + 1, treeWith(half))).rejects.toThrow(`at most ${BYTES_PER_DROP} bytes`)
  await expect(roomFor('/large/new.csv', 1, treeWith(half))).rejects.toThrow(`at most ${BYTES_PER_DROP} bytes`)
})

describe('a folder that its seller has made', () => {
  it('is there until it is removed, and stays when its last file is removed', async () => {
    const tree = treeWith()
    await tree.makeFolder('/made')
    expect((await tree.stat('/made')).isFolder).toBe(true)
    await expect(tree.makeFolder('/made')).rejects.toThrow('already exists')
    await tree.removeFolder('/made')
    await expect(tree.stat('/made')).rejects.toThrow()
    await expect(tree.removeFolder('/made')).rejects.toThrow()
    await put('sent/a.csv')
    await expect(tree.removeFolder('/sent')).rejects.toThrow('not empty')
    await tree.removeFile('/sent/a.csv')
    expect((await tree.stat('/sent')).isFolder).toBe(true)
    await expect(tree.removeFile('/sent/a.csv')).rejects.toThrow()
  })
})
