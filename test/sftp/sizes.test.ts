import { describe, expect, it } from '@jest/globals'
import { BYTES_PER_XLSX, MANIFEST_BYTES } from '../../src/contract/vocabulary/drops.ts'
import { chunksOf } from '../support/files/objects.ts'
import { finished, openFile, sftpOf, sftpServers } from '../support/sftp/sftpServers.ts'
import { useApp } from '../support/useApp.ts'

const app = useApp()
const { serverWith, signIn } = sftpServers(app)

describe('a connection', () => {
  it('is refused a larger manifest or workbook than HTTP takes, also under a temporary name that it renames', async () => {
    const connected = await signIn(await serverWith())
    const sftp = await sftpOf(connected)
    const write = async (path: string, position: number) => {
      const handle = await openFile(sftp, path)
      await finished((done) => sftp.write(handle, Buffer.from('x'), 0, 1, position, done))
    }
    for (const [filename, max] of Object.entries({ 'manifest.json': MANIFEST_BYTES, 'a.XLSX': BYTES_PER_XLSX })) {
      await write(`/sizes/${filename}`, max - 1)
      await expect(write(`/sizes/${filename}`, max)).rejects.toThrow(`The file may have at most ${max} bytes.`)
    }
    await app.deps.drops.put('cable/sizes/manifest.json.part', chunksOf(' '.repeat(MANIFEST_BYTES + 1)))
    const rename = finished((done) => sftp.rename('/sizes/manifest.json.part', '/sizes/manifest.json', done))
    await expect(rename).rejects.toThrow(`manifest.json may have at most ${MANIFEST_BYTES} bytes; it has ${MANIFEST_BYTES + 1}.`)
    connected.client.end()
  })

  it('is refused more bytes than a seller may have in all, until it removes some', async () => {
    const connected = await signIn(
      await serverWith({}, { perTenant: 1_000, total: 1_000 }, { dropBytesPerSeller: 100 }),
      app.tokens.sellers.station,
      'station',
    )
    await app.deps.db.pool.query("delete from drop_files where seller = 'station'")
    const sftp = await sftpOf(connected)
    const put = async (path: string, bytes: number) => {
      const handle = await openFile(sftp, path)
      await finished((done) => sftp.write(handle, Buffer.alloc(bytes), 0, bytes, 0, done))
      await finished((done) => sftp.close(handle, done))
    }
    await put('/stock1/a.csv.part', 60)
    await expect(put('/stock2/b.csv', 41)).rejects.toThrow(
      'The files of a seller may have at most 100 bytes in all, of which 40 are left; files are deleted after 30 days.',
    )
    await finished((done) => sftp.rename('/stock1/a.csv.part', '/stock3/a.csv', done))
    await put('/stock2/b.csv', 40)
    await put('/stock2/b.csv', 30)
    await finished((done) => sftp.unlink('/stock3/a.csv', done))
    await put('/stock2/c.csv', 70)
    const { rows } = await app.deps.db.pool.query("select bytes::int from drop_stock where seller = 'station'")
    expect(rows).toEqual([{ bytes: 100 }])
    connected.client.end()
  })
})
