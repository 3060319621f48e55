import { execFile } from 'node:child_process'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { readDrop } from '../../../src/store/drops/drops.ts'
import { endWith, land, manifestOf, register, registered } from '../../support/files/drops.ts'
import { type TemporaryFolder, temporaryFolder } from '../../support/files/temporaryFolder.ts'
import { sha256Of } from '../../support/files/uploads.ts'
import { useMarket } from '../../support/useMarket.ts'

const market = useMarket()
const cable = () => market.cable
const db = () => market.deps.db

/** Files of a drop of their own. */
let made = 0
function newDrop(): { id: string; files: { 'avails.csv': string; 'more.json': string } } {
  made += 1
  return { id: `d-${made}`, files: { 'avails.csv': `product_id\np-${made}\n`, 'more.json': `{"n":${made}}` } }
}

async function landed() {
  const drop = newDrop()
  await land(market, cable(), drop.id, drop.files)
  return drop
}

const stored = async (name: string): Promise<string | undefined> => {
  const stream = await market.deps.drops.get(name)
  return stream === undefined ? undefined : Buffer.concat(await stream.toArray()).toString()
}
const runsOf = async (id: string) => (await db().pool.query('select from drops where drop_id = $1', [id])).rowCount

describe('POST /me/files/manifest: 202', () => {
  it('registers a run with its files, and wakes it', async () => {
    const { id, files } = await landed()
    const { status, body, headers } = await register(cable(), id, files)
    expect([status, body]).toEqual([202, { drop_id: id, status: 'processing', results_uri: `/v1/me/files/${id}` }])
    expect(headers['x-idempotent-replay']).toBeUndefined()
    const run = await readDrop(db(), 'cable', id)
    expect(run?.files).toEqual([
      {
        filename: 'avails.csv',
        type: 'avails',
        format: 'csv',
        sha256: expect.any(String),
        tag: expect.any(String),
        size: files['avails.csv'].length,
      },
      expect.objectContaining({ filename: 'more.json', format: 'json' }),
    ])
    const { rowCount } = await db().pool.query(`select from outbox where kind = 'drop' and target = $1`, [`cable/${id}`])
    expect(rowCount).toBe(1)
  })

  it('replays the run of the same drop, also when its files are gone', async () => {
    const { id, files } = await landed()
    await register(cable(), id, files)
    await market.deps.drops.delete(`cable/${id}`)
    const again = await register(cable(), id, files)
    expect([again.status, again.body.status, again.headers['x-idempotent-replay']]).toEqual([202, 'processing', 'true'])
    expect(await runsOf(id)).toBe(1)
  })

  it('replays the result of another drop with the same files, whatever their names, types and order', async () => {
    const { id, files } = await landed()
    await register(cable(), id, files)
    await endWith(db(), { seller: 'cable', drop_id: id, run_no: 1 }, { avails: { rows_written: 3, rows_rejected: 1 } }, [
      { file: 'avails.csv', row: 2, error_code: 'INVALID_ENTRY', value: 'x', message: 'is wrong' },
    ])
    const others = Object.fromEntries(
      Object.values(files)
        .map((text, n) => [`other-${n}.json`, text] as const)
        .reverse(),
    )
    await land(market, cable(), `${id}-again`, others)
    const { status, body, headers } = await register(cable(), `${id}-again`, others)
    expect([status, headers['x-idempotent-replay']]).toEqual([202, 'true'])
    expect(body).toEqual({ drop_id: `${id}-again`, status: 'partial', results_uri: `/v1/me/files/${id}` })
    const copy = JSON.parse((await stored(`cable/${id}-again/errors.json`)) ?? '')
    expect(copy).toMatchObject({
      drop_id: `${id}-again`,
      replay_of: id,
      status: 'partial',
      rows_written: 3,
      errors: [{ file: 'avails.csv', row: 2 }],
    })
    expect((await cable().get(`/me/files/${id}-again`)).body).toEqual(copy)
  })

  it('registers a run where another seller has sent the same files', async () => {
    const { id, files } = await landed()
    await register(cable(), id, files)
    await land(market, market.station, id, files)
    const { headers } = await register(market.station, id, files)
    expect(headers['x-idempotent-replay']).toBeUndefined()
  })

  it('runs again with reprocess', async () => {
    const { id, files } = await landed()
    await register(cable(), id, files)
    const again = await register(cable(), id, files, { reprocess: true })
    expect([again.status, again.headers['x-idempotent-replay']]).toEqual([202, undefined])
    expect(await readDrop(db(), 'cable', id)).toMatchObject({ run_no: 2, status: 'processing' })
  })

  it('answers a repeated reprocess with its run while that is open, also without its files', async () => {
    const { id, files } = await landed()
    await register(cable(), id, files)
    await register(cable(), id, files, { reprocess: true })
    await Promise.all(Object.keys(files).map((filename) => market.deps.drops.delete(`cable/${id}/${filename}`)))
    const again = await Promise.all([1, 2, 3].map(() => register(cable(), id, files, { reprocess: true })))
    for (const { status, headers } of again) expect([status, headers['x-idempotent-replay']]).toEqual([202, 'true'])
    expect(await runsOf(id)).toBe(2)
  })

  it('makes one run of several reprocess requests at once, and another for one with other dates or after its end', async () => {
    const { id, files } = await landed()
    const both = await Promise.all([1, 2].map(() => register(cable(), id, files, { reprocess: true })))
    expect(both.map(({ headers }) => headers['x-idempotent-replay']).sort()).toEqual(['true', undefined])
    await register(cable(), id, files, { reprocess: true, effective: { start: '2027-01-01', end: '2027-02-01' } })
    expect(await runsOf(id)).toBe(2)
    await market
      .owner()
      .query(`update drops set status = 'success', stage = 'ended', ended_at = now(), result = '{}' where drop_id = $1`, [id])
    await register(cable(), id, files, { reprocess: true })
    expect(await runsOf(id)).toBe(3)
  })

  it('makes a new run for other files under the same drop_id', async () => {
    const { id, files } = await landed()
    await register(cable(), id, files)
    const corrected = { ...files, 'avails.csv': 'product_id\ncorrected\n' }
    await land(market, cable(), id, corrected)
    expect((await register(cable(), id, corrected)).headers['x-idempotent-replay']).toBeUndefined()
    expect(await runsOf(id)).toBe(2)
  })

  it('warns of members that it does not know', async () => {
    const { id, files } = await landed()
    const { body } = await register(cable(), id, files, { efective: {} })
    expect(body.warnings).toEqual([{ code: 'UNKNOWN_MEMBER', pointer: '/efective', nearest: 'effective' }])
  })

  it('makes one run when two requests arrive at once', async () => {
    const { id, files } = await landed()
    const both = await Promise.all([register(cable(), id, files), register(cable(), id, files)])
    expect(both.map(({ status }) => status)).toEqual([202, 202])
    expect(both.map(({ headers }) => headers['x-idempotent-replay']).sort()).toEqual(['true', undefined])
    expect(await runsOf(id)).toBe(1)
  })

  it('makes one run when two drops with the same files arrive at once', async () => {
    const { id, files } = await landed()
    await land(market, cable(), `${id}-copy`, files)
    const both = await Promise.all([register(cable(), id, files), register(cable(), `${id}-copy`, files)])
    expect(both.map(({ status }) => status)).toEqual([202, 202])
    expect(new Set(both.map(({ body }) => body.results_uri)).size).toBe(1)
    const { rowCount } = await db().pool.query('select from drops where drop_id like $1 and replay_of_drop_id is null', [`${id}%`])
    expect(rowCount).toBe(1)
  })
})

describe('POST /me/files/manifest: 404', () => {
  it('is the answer for a drop that has not landed', async () => {
    const { id, files } = newDrop()
    const { status, body } = await register(cable(), id, files)
    expect([status, body.error_code, body.error_message]).toEqual([404, 'NOT_FOUND', `The drop ${id} has not landed: it has no files yet.`])
    expect(await runsOf(id)).toBe(0)
  })

  it('is the answer for a drop of another seller', async () => {
    const { id, files } = await landed()
    expect((await register(market.station, id, files)).status).toBe(404)
  })
})

describe('POST /me/files/manifest: 422', () => {
  const messagesOf = (body: { details: { errors: { field: string; message: string }[] } }) =>
    body.details.errors.map(({ message }) => message)

  it.each([
    ['schema_version', { schema_version: '2.0' }, 'schema_version must be 1.0; "2.0" was sent'],
    ['drop_id', { drop_id: '../etc' }, expect.stringContaining('drop_id must have 1 to 128 characters')],
    ['drop_id', { drop_id: 'manifest' }, 'drop_id must not be manifest or mappings, which are reserved; "manifest" was sent'],
    ['files', { files: [] }, 'files must have at least 1 entry; it has 0 entries'],
  ])('names %s when it is wrong', async (field, more, message) => {
    const { id, files } = newDrop()
    const { status, body } = await register(cable(), id, files, more)
    expect([status, body.error_code, body.details.field]).toEqual([422, 'INVALID_INPUT', field])
    expect(messagesOf(body)).toEqual([message])
  })

  it('names every file that is missing, and a name that differs in case alone', async () => {
    const { id, files } = await landed()
    const { status, body } = await register(cable(), id, {
      'AVAILS.csv': files['avails.csv'],
      'more.json': files['more.json'],
      'none.csv': 'x',
    })
    expect([status, body.details.field]).toEqual([422, 'files.0.filename'])
    expect(messagesOf(body)).toEqual([
      'files.0.filename must name a file of the drop; AVAILS.csv was sent, and the drop has avails.csv, in another case.',
      'files.2.filename must name a file of the drop; none.csv was sent, and the drop has no such file.',
    ])
    expect(await runsOf(id)).toBe(0)
  })

  it('names every file whose sha256 is another', async () => {
    const { id, files } = await landed()
    const sent = manifestOf(id, files)
    const wrong = sha256Of(Buffer.from('another'))
    const [first, ...rest] = sent.files
    const { status, body } = await cable().post('/me/files/manifest', { ...sent, files: [{ ...first, sha256: wrong }, ...rest] })
    expect([status, body.details.field]).toEqual([422, 'files.0.sha256'])
    expect(messagesOf(body)).toEqual([`files.0.sha256 must be the SHA-256 of avails.csv, which is ${first?.sha256}; ${wrong} was sent.`])
  })

  it('detects files that were replaced after they had been hashed', async () => {
    const { id, files } = await landed()
    await register(cable(), id, files)
    const other = { ...files, 'avails.csv': files['avails.csv'].replace('p-', 'q-') }
    expect((await register(cable(), id, other)).body.details.field).toBe('files.0.sha256')
    await land(market, cable(), id, other)
    expect((await register(cable(), id, other)).status).toBe(202)
    expect((await register(cable(), id, files)).status).toBe(422)
  })
})

describe('POST /me/files/manifest: 422 for what is not a file', () => {
  let root: TemporaryFolder
  beforeAll(async () => {
    root = await temporaryFolder()
  })
  const odd = useMarket(() => ({ storeUrls: { DROPS_URL: pathToFileURL(join(root.path, 'drops')).href } }))
  afterAll(() => root.remove())

  it('treats a link, a pipe, and everything below a linked folder as missing', async () => {
    const [outside, drop] = [join(root.path, 'outside'), join(root.path, 'drops', 'cable', 'd-1')]
    await mkdir(outside)
    await writeFile(join(outside, 'a.csv'), 'secret')
    await land(odd, odd.cable, 'd-1', { 'real.csv': 'real' })
    await symlink(join(outside, 'a.csv'), join(drop, 'a.csv'))
    await promisify(execFile)('mkfifo', [join(drop, 'b.csv')])
    await symlink(outside, join(root.path, 'drops', 'cable', 'd-2'))
    const { status, body } = await register(odd.cable, 'd-1', { 'real.csv': 'real', 'a.csv': 'secret', 'b.csv': '' })
    expect([status, body.details.errors.map(({ field }: { field: string }) => field)]).toEqual([
      422,
      ['files.1.filename', 'files.2.filename'],
    ])
    expect((await register(odd.cable, 'd-2', { 'a.csv': 'secret' })).status).toBe(404)
  })
})

describe('POST /me/files/manifest: 429', () => {
  const small = useMarket({ dropsPerDay: 2 })

  it('is the answer beyond the registrations of a day, but not to a replay', async () => {
    for (const id of ['d-1', 'd-2']) await registered(small, small.cable, id, { 'a.csv': id })
    const third = await small.cable.put('/me/files/d-3/a.csv', 'd-3')
    expect([third.status, third.body.error_code]).toEqual([429, 'RATE_LIMITED'])
    await land(small, small.cable, 'd-2', { 'a.csv': 'other' })
    const { status, body, headers } = await register(small.cable, 'd-2', { 'a.csv': 'other' })
    expect([status, body.error_code, body.error_message]).toEqual([429, 'RATE_LIMITED', 'A seller may register 2 drops in 24 hours.'])
    expect(Number(headers['retry-after'])).toBeGreaterThan(80_000)
    expect((await register(small.cable, 'd-2', { 'a.csv': 'd-2' })).status).toBe(202)
  })
})
