import { afterAll, describe, expect, it } from '@jest/globals'
import { pino } from 'pino'
import supertest from 'supertest'
import { createApp } from '../../api/app.ts'
import { memoryDisk } from '../support/files/memoryDisk.ts'
import { announced } from '../support/files/uploads.ts'
import { finished, openFile, outcomeOf, sftpOf, sftpServers } from '../support/sftp/sftpServers.ts'
import { useMarket } from '../support/useMarket.ts'

const disk = memoryDisk('size=256k,mode=777', 'The test of full file stores')
const withDisk = disk === undefined ? it.skip : it
const store = (name: string) => `file://${disk?.path ?? '/nowhere'}/${name}`
const market = useMarket(disk === undefined ? {} : { storeUrls: { OBJECTS_URL: store('objects'), DROPS_URL: store('drops') } })
const { serverWith, signIn } = sftpServers(market)
afterAll(() => disk?.remove())

/** More than the disk has. */
const BYTES = Buffer.alloc(512 * 1024, 'x')

function logged() {
  const lines: { level: number; msg: string; reason?: string; err?: { message: string } }[] = []
  return { lines, log: pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) }) }
}

describe('a full disk of a file store', () => {
  withDisk('is 503 for an upload and a file of a drop, and in the log of the API with what is full', async () => {
    const { lines, log } = logged()
    const request = supertest(createApp(market.deps, log))
    const uploadId = await announced(market.acme, BYTES)
    const put = (path: string, token: string, type: string) =>
      request.put(`/v1${path}`).auth(token, { type: 'bearer' }).type(type).send(BYTES)
    expect((await put(`/uploads/${uploadId}/content`, market.acme.token, 'application/pdf')).status).toBe(503)
    expect((await put('/me/files/a-drop/avails.csv', market.cable.token, 'text/csv')).status).toBe(503)
    const told = lines.filter(({ msg }) => msg === 'answered 503')
    expect(told).toHaveLength(2)
    for (const { level, reason } of told) expect([level, reason]).toEqual([50, 'The file store failed: directory (ENOSPC)'])
  })

  withDisk('fails a file over SFTP, and is in the log of the SFTP server', async () => {
    const { lines, log } = logged()
    const sftp = await sftpOf(await signIn(await serverWith({}, undefined, { log })))
    await finished((done) => sftp.mkdir('/b-drop', done)).catch(() => undefined)
    const handle = await openFile(sftp, '/b-drop/avails.csv')
    for (let at = 0; at < BYTES.length; at += 32_768) await finished((done) => sftp.write(handle, BYTES, at, 32_768, at, done))
    expect(await outcomeOf(finished((done) => sftp.close(handle, done)))).toBe('The server has no room left: try again later.')
    expect(lines.filter(({ level }) => level >= 50)).toEqual([
      expect.objectContaining({ msg: 'a disk is full: a file of a seller was refused', err: expect.objectContaining({ word: 'ENOSPC' }) }),
    ])
  })
})
