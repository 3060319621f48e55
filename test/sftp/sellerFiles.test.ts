import { describe, expect, it } from '@jest/globals'
import { pino } from 'pino'
import ssh2 from 'ssh2'
import { madeFolders } from '../../sftp/madeFolders.ts'
import { openSellerFiles } from '../../sftp/sellerFiles.ts'
import { openSpool } from '../../sftp/spool.ts'
import type { ObjectStorage } from '../../src/adapters/files/objectStorage/storage.ts'
import { chunksOf, objectText } from '../support/files/objects.ts'
import { useApp } from '../support/useApp.ts'

const app = useApp()
const { READ, WRITE, APPEND, CREAT, TRUNC, EXCL } = ssh2.utils.sftp.OPEN_MODE

/** The files of cable for one channel, with room for three handles. */
function filesOf(drops: ObjectStorage = app.deps.drops, dropsPerDay = 0) {
  const room = { max: 3, open: 0 }
  const deps = {
    ...{ drops, db: app.deps.db, folders: madeFolders(), log: pino({ level: 'silent' }), dropsPerDay, dropBytesPerSeller: 0 },
    spool: openSpool(`${app.dataDir}/sftp/.incoming`, { perTenant: 2 ** 20, total: 2 ** 24 }),
  }
  return { ...openSellerFiles(deps, 'cable', room), room }
}
const text = (path: string) => objectText(app.deps.drops, `cable${path}`)
const put = (path: string, content: string) => app.deps.drops.put(`cable${path}`, chunksOf(content))

describe('a file that is opened to be written', () => {
  it('is made only where that is asked for', async () => {
    const files = filesOf()
    await expect(files.openFile('/new/a.csv', WRITE)).rejects.toThrow('/new/a.csv does not exist.')
    await files.close(await files.openFile('/new/a.csv', WRITE | CREAT))
    expect(await text('/new/a.csv')).toBe('')
  })

  it('is not replaced where it must not be there', async () => {
    const files = filesOf()
    await put('/excl/a.csv', 'kept')
    await expect(files.openFile('/excl/a.csv', WRITE | CREAT | EXCL)).rejects.toThrow('/excl/a.csv already exists.')
    await files.close(await files.openFile('/excl/b.csv', WRITE | CREAT | EXCL))
    expect(await text('/excl/a.csv')).toBe('kept')
  })

  it('keeps what it has unless it is to be emptied, and is then as long as what was written', async () => {
    const files = filesOf()
    await put('/change/a.csv', 'one,two')
    const changed = await files.openFile('/change/a.csv', WRITE)
    await files.write(changed, 4, Buffer.from('six'))
    await files.close(changed)
    expect(await text('/change/a.csv')).toBe('one,six')
    const emptied = await files.openFile('/change/a.csv', WRITE | TRUNC)
    await files.write(emptied, 0, Buffer.from('x'))
    await files.close(emptied)
    expect(await text('/change/a.csv')).toBe('x')
  })

  it.each([
    ['to append to it', WRITE | APPEND, 'Files cannot be appended to'],
    ['to read and to write it', READ | WRITE, 'to read or to write it, not both'],
  ])('is refused %s', async (_, flags, message) => {
    await expect(filesOf().openFile('/d/a.csv', flags)).rejects.toThrow(message)
  })

  it('gives its spool back where its content cannot be read', async () => {
    await put('/broken/a.csv', 'one')
    const get: ObjectStorage['get'] = async (name) => {
      const stream = await app.deps.drops.get(name)
      stream?.destroy(new Error('away'))
      return stream
    }
    const files = filesOf({ ...app.deps.drops, get })
    await expect(files.openFile('/broken/a.csv', WRITE)).rejects.toThrow('away')
    expect(files.room.open).toBe(0)
  })

  it('is not kept where a write has failed, also if another brings the same bytes', async () => {
    const files = filesOf()
    const handle = await files.openFile('/failed/a.csv', WRITE | CREAT)
    await files.write(handle, 0, Buffer.from('x'))
    await expect(files.write(handle, 0.5, Buffer.from('y'))).rejects.toThrow('An offset must be a whole number')
    await expect(files.close(handle)).rejects.toThrow('not all of its bytes have arrived')
    expect([await text('/failed/a.csv'), files.room.open]).toEqual([undefined, 0])
  })
})

describe('a handle', () => {
  it('serves what it was opened for, and nothing once it is closed', async () => {
    const files = filesOf()
    await put('/handles/a.csv', 'one')
    const [listing, download, upload] = [
      await files.openFolder('/handles'),
      await files.openFile('/handles/a.csv', READ),
      await files.openFile('/handles/b.csv', WRITE | CREAT),
    ]
    await expect(files.openFolder('/handles')).rejects.toThrow('At most 3 files and folders may be open')
    await expect(files.nextEntries(download)).rejects.toThrow('This handle is of a file.')
    for (const handle of [listing, upload])
      await expect(files.read(handle, 0, 1)).rejects.toThrow('not of a file that was opened to read it')
    for (const handle of [listing, download]) {
      await expect(files.write(handle, 0, Buffer.from('x'))).rejects.toThrow('not of a file that was opened to write it')
      await expect(files.truncate(handle, 0)).rejects.toThrow('not of a file that was opened to write it')
    }
    expect([listing, download, upload].map((handle) => files.statOpen(handle))).toMatchObject([
      { isFolder: true, size: 0 },
      { isFolder: false, size: 3 },
      { isFolder: false, size: 0 },
    ])
    expect((await files.nextEntries(listing)).map(({ filename }) => filename)).toEqual(['a.csv'])
    expect(await files.nextEntries(listing)).toEqual([])
    expect(String(await files.read(download, 1, 99))).toBe('ne')
    for (const handle of [listing, download, upload]) await files.close(handle)
    for (const handle of [listing, Buffer.from('no'), Buffer.alloc(0)]) await expect(files.close(handle)).rejects.toThrow('not open')
    expect(files.room.open).toBe(0)
  })

  it('of a folder gives a hundred entries at a time', async () => {
    for (let n = 0; n < 101; n += 1) await put(`/hundred/${n}.csv`, 'x')
    const files = filesOf()
    const listing = await files.openFolder('/hundred')
    expect([(await files.nextEntries(listing)).length, (await files.nextEntries(listing)).length]).toEqual([100, 1])
    await files.closeAll()
    expect(files.room.open).toBe(0)
  })

  it.each(['/', '/d-folder'])('is not given for a folder as a file: %s', async (path) => {
    await put('/d-folder/a.csv', 'x')
    await expect(filesOf().openFile(path, READ)).rejects.toThrow('is a folder.')
  })
})

describe('the time of a file', () => {
  it('is kept of a file alone', async () => {
    const files = filesOf()
    await files.close(await files.openFile('/times/a.csv', WRITE | CREAT))
    await files.setTime('/times/a.csv', 1_000_000)
    await files.setTime('/times', 1_000_000)
    await expect(files.setTime('/times/deep/a.csv', 1_000_000)).rejects.toThrow('does not exist')
    expect((await files.stat('/times/a.csv')).modifiedAt).toBe(1_000_000)
    expect((await files.stat('/times')).modifiedAt).toBeGreaterThan(1_000_000)
  })
})

describe('what is known of the files of a drop', () => {
  const known = async (drop: string) =>
    (await app.deps.db.pool.query(`select filename from drop_files where seller = 'cable' and drop_id = $1 order by 1`, [drop])).rows.map(
      ({ filename }) => filename,
    )
  const land = async (files: ReturnType<typeof filesOf>, path: string) => files.close(await files.openFile(path, WRITE | CREAT))

  it('follows a rename and a removal', async () => {
    const files = filesOf()
    for (const name of ['a.csv', 'b.csv']) await land(files, `/known/${name}`)
    await files.rename('/known/a.csv', '/known/c.csv')
    expect(await known('known')).toEqual(['b.csv', 'c.csv'])
    await files.removeFile('/known/b.csv')
    expect([await known('known'), await text('/known/c.csv')]).toEqual([['c.csv'], ''])
  })

  it('refuses another drop than a day may have before anything of it is sent', async () => {
    const files = filesOf(app.deps.drops, 1)
    await expect(files.openFile('/another/a.csv', WRITE | CREAT)).rejects.toThrow('A seller may put files into 1 drops in 24 hours.')
    expect(files.room.open).toBe(0)
  })

  it('may be gone when it is to be read', async () => {
    await put('/gone/a.csv', 'x')
    const gone: ObjectStorage = { ...app.deps.drops, get: async () => undefined }
    await expect(filesOf(gone).openFile('/gone/a.csv', READ)).rejects.toThrow('/gone/a.csv does not exist.')
  })
})

describe('a rename', () => {
  it('is refused where the new name may not be so large', async () => {
    const large: ObjectStorage = {
      ...app.deps.drops,
      stat: async (name) => {
        const found = await app.deps.drops.stat(name)
        return found && { ...found, size: 2_000_000 }
      },
    }
    await put('/rename/a.csv', 'x')
    await expect(filesOf(large).rename('/rename/a.csv', '/rename/manifest.json')).rejects.toThrow('manifest.json may have at most')
    expect(await text('/rename/a.csv')).toBe('x')
  })
})
