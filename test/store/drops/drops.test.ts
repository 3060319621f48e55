import { beforeEach, describe, expect, it } from '@jest/globals'
import { resultFileOf } from '../../../src/domain/drops/dropResult.ts'
import type { DropKey, DropRun } from '../../../src/store/drops/drops.ts'
import { listDrops, readDrop } from '../../../src/store/drops/drops.ts'
import { endDrop } from '../../../src/store/drops/endDrop.ts'
import { oldDrops } from '../../../src/store/drops/oldDrops.ts'
import { findReplayed, type NewDrop, type Registered, registerDrop } from '../../../src/store/drops/registerDrop.ts'
import { useMarket } from '../../support/useMarket.ts'

const market = useMarket()
beforeEach(() => market.owner().query('truncate drops cascade'))

const db = () => market.deps.db
const SELLER = 'cable'

function drop(drop_id: string, identity: string, more: Partial<NewDrop> = {}): NewDrop {
  const files = [{ filename: 'a.csv', type: 'avails' as const, format: 'csv' as const, sha256: identity, tag: 't', size: 1 }]
  return {
    drop_id,
    identity,
    schema_version: '1.0',
    effective: undefined,
    files,
    reprocess: false,
    manifest_sha256: identity,
    warnings: [],
    ...more,
  }
}

const register = (drop_id: string, identity: string, more: Partial<NewDrop> = {}) =>
  registerDrop(db(), SELLER, drop(drop_id, identity, more), 500)

function runOf(registered: Registered): DropRun {
  if (!('run' in registered)) throw new Error(`no run: ${JSON.stringify(registered)}`)
  return registered.run
}

async function ended(key: DropKey, written: number, rejected: number, options = {}): Promise<void> {
  await db().pool.query(
    'update drops set rows_written = $4, rows_rejected = $5, error_count = $5 where seller = $1 and drop_id = $2 and run_no = $3',
    [...[key.seller, key.drop_id, key.run_no], ...[written, rejected]],
  )
  for (let n = 1; n <= rejected; n += 1)
    await db().pool.query(
      `insert into drop_errors values ($1, $2, $3, $4::int, 'a.csv', $4::int, 'INVALID_ENTRY', null, '"x"', 'is wrong')`,
      [...[key.seller, key.drop_id, key.run_no, n]],
    )
  const client = await db().pool.connect()
  try {
    await client.query('begin')
    await endDrop(client, key, options)
    await client.query('commit')
  } finally {
    client.release()
  }
}

const woken = async (): Promise<string[]> =>
  (await db().pool.query<{ target: string }>(`select target from outbox where kind = 'drop' order by outbox_id`)).rows.map(
    ({ target }) => target,
  )

describe('a registration', () => {
  beforeEach(() => db().pool.query(`delete from outbox where kind = 'drop'`))

  it('is a run with an outbox row', async () => {
    expect(runOf(await register('d-1', 'A'))).toMatchObject({
      run_no: 1,
      status: 'processing',
      stage: 'fetch',
      cursor_row: 0,
      replay_of_drop_id: null,
    })
    expect(await woken()).toEqual(['cable/d-1'])
  })

  it('of other files under the same id is a run after the first', async () => {
    await register('d-1', 'A')
    expect(runOf(await register('d-1', 'B'))).toMatchObject({ run_no: 2 })
    expect(await readDrop(db(), SELLER, 'd-1')).toMatchObject({ run_no: 2, identity: 'B' })
  })

  it('of the same files under the same id is the run that there is', async () => {
    const run = runOf(await register('d-1', 'A'))
    expect(await register('d-1', 'A')).toMatchObject({ original: { run_no: run.run_no }, replay: undefined })
    expect(await findReplayed(db(), SELLER, 'd-1', 'A', [])).toMatchObject({ drop_id: 'd-1', run_no: 1 })
    expect(await woken()).toHaveLength(1)
  })

  it('of the same files under another id replays the result, now or when it is there', async () => {
    const run = runOf(await register('d-1', 'A'))
    expect(await register('d-2', 'A')).toMatchObject({
      original: { drop_id: 'd-1', status: 'processing' },
      replay: { drop_id: 'd-2', run_no: 1 },
    })
    await ended(run, 2, 1)
    await register('d-3', 'A')
    for (const drop_id of ['d-2', 'd-3']) {
      const shown = await readDrop(db(), SELLER, drop_id)
      expect(JSON.parse(shown?.result ?? '')).toMatchObject({
        drop_id,
        replay_of: 'd-1',
        status: 'partial',
        rows_written: 2,
        errors: [{ row: 1 }],
      })
    }
    expect(await woken()).toEqual(['cable/d-1'])
  })

  it('runs again where it says reprocess', async () => {
    await ended(runOf(await register('d-1', 'A')), 1, 0)
    expect(runOf(await register('d-1', 'A', { reprocess: true }))).toMatchObject({ run_no: 2, status: 'processing' })
    expect(await register('d-4', 'A')).toMatchObject({ original: { drop_id: 'd-1', run_no: 2 } })
  })

  it('is bounded a day', async () => {
    for (const id of ['d-1', 'd-2']) await registerDrop(db(), SELLER, drop(id, id), 2)
    expect(await registerDrop(db(), SELLER, drop('d-3', 'd-3'), 2)).toEqual({ retryAfter: expect.any(Number) })
    expect(await registerDrop(db(), SELLER, drop('d-1', 'd-1'), 2)).toMatchObject({ replay: undefined })
    expect(runOf(await registerDrop(db(), 'station', drop('d-3', 'd-3'), 2))).toMatchObject({ seller: 'station' })
  })

  it('of many at once with the same files is one run', async () => {
    const all = await Promise.all(Array.from({ length: 10 }, (_, n) => register(`d-${n % 3}`, 'A')))
    expect(all.filter((one) => 'run' in one)).toHaveLength(1)
    expect(await woken()).toHaveLength(1)
    expect(await listDrops(db(), SELLER, { limit: 50 })).toHaveLength(3)
  })
})

describe('the end of a run', () => {
  it.each([
    [3, 0, 'success', 'success.json'],
    [0, 0, 'success', 'success.json'],
    [2, 1, 'partial', 'errors.json'],
    [0, 1, 'rejected', 'errors.json'],
  ] as const)('with %i rows written and %i refused is %s', async (written, rejected, status, file) => {
    await ended(runOf(await register('d-1', 'A')), written, rejected)
    const result = (await readDrop(db(), SELLER, 'd-1'))?.result ?? ''
    expect(JSON.parse(result)).toMatchObject({
      status,
      stage: 'ended',
      rows_written: written,
      rows_rejected: rejected,
      errors_truncated: false,
    })
    expect(JSON.parse(result).errors).toHaveLength(rejected)
    expect(resultFileOf(JSON.parse(result))).toBe(file)
    // The result has them.
    expect((await db().pool.query('select from drop_errors')).rowCount).toBe(0)
  })

  it('comes once', async () => {
    const run = runOf(await register('d-1', 'A'))
    await ended(run, 1, 0)
    const first = await readDrop(db(), SELLER, 'd-1')
    await ended(run, 5, 0)
    expect((await readDrop(db(), SELLER, 'd-1'))?.result).toBe(first?.result)
  })

  it('without its files having been read lets the same files be registered again, and gives a run that waited work of its own', async () => {
    const run = runOf(await register('d-1', 'A'))
    await register('d-2', 'A')
    await register('d-3', 'A')
    await db().pool.query(`delete from outbox where kind = 'drop'`)
    await ended(run, 0, 1, { isUnread: true })
    expect(await readDrop(db(), SELLER, 'd-1')).toMatchObject({ status: 'rejected', identity: null })
    expect(await readDrop(db(), SELLER, 'd-2')).toMatchObject({ status: 'processing', replay_of_drop_id: null })
    expect(await readDrop(db(), SELLER, 'd-3')).toMatchObject({ status: 'processing', replay_of_drop_id: 'd-2' })
    expect(await woken()).toEqual(['cable/d-2'])
    expect(await register('d-1', 'A')).toMatchObject({ original: { drop_id: 'd-2' }, replay: { drop_id: 'd-1', run_no: 2 } })
  })
})

describe('the list of drops', () => {
  it('is newest first, by status, in pages, of one seller', async () => {
    for (const id of ['d-1', 'd-2', 'd-3']) await register(id, id)
    await registerDrop(db(), 'station', drop('d-4', 'd-4'), 500)
    await ended(runOf(await register('d-5', 'd-5')), 1, 0)
    const idsOf = (runs: readonly DropRun[]) => runs.map(({ drop_id }) => drop_id)
    const first = await listDrops(db(), SELLER, { limit: 2 })
    expect(idsOf(first)).toEqual(['d-5', 'd-3'])
    expect(idsOf(await listDrops(db(), SELLER, { limit: 5, before: first[1]?.registration }))).toEqual(['d-2', 'd-1'])
    expect(idsOf(await listDrops(db(), SELLER, { limit: 5, status: 'success' }))).toEqual(['d-5'])
  })
})

describe('the runs of a seller whose numbers become longer', () => {
  const MANY = 23
  const names = Array.from({ length: MANY }, (_, index) => `many-${index}`)
  /** The next registrations are numbered from there on. */
  const beginAt = (last: number) => market.owner().query(`select setval(pg_get_serial_sequence('drops', 'registration'), $1)`, [last])

  it('are listed newest first, each once', async () => {
    await beginAt(990)
    for (const name of names) await register(name, name)
    const seen: string[] = []
    for (let before: string | undefined; ; ) {
      const page: readonly DropRun[] = await listDrops(db(), SELLER, { limit: 5, ...(before !== undefined && { before }) })
      seen.push(...page.map(({ drop_id }) => drop_id).filter((drop_id) => drop_id.startsWith('many-')))
      before = page.at(-1)?.registration
      if (page.length < 5) break
    }
    expect(seen).toEqual([...names].reverse())
  })

  it('replay the newest one with the same files', async () => {
    // Both have work of their own, since each was told to be processed again.
    await beginAt(9_990)
    for (const [at, name] of names.entries()) {
      const run = runOf(await register(`again-${name}`, 'same', { reprocess: true }))
      await ended(run, at, 0)
    }
    const { replay } = (await register('once-more', 'same')) as Extract<Registered, { replay: unknown }>
    expect(replay).toMatchObject({ replay_of_drop_id: `again-${names.at(-1)}`, rows_written: MANY - 1 })
  })
})

describe('what is read of many drops', () => {
  it('is found by an index: a status of a seller, files and manifests that are old', async () => {
    await market.owner().query(
      `insert into drops (seller, drop_id, run_no, schema_version, files, status, stage, ended_at, result)
        select 'cable', 'x-' || n, 1, '1.0', '[]', 'success', 'ended', now(), '{}' from generate_series(1, 20000) n;
      insert into drop_files (seller, drop_id, filename, size) select 'cable', 'x-' || n, 'a.csv', 1 from generate_series(1, 20000) n;
      insert into landed_manifests (seller, drop_id, tag, is_done) select 'cable', 'x-' || n, 't', true from generate_series(1, 20000) n;
      analyze drops, drop_files, landed_manifests`,
    )
    const planOf = async (query: string) =>
      (await db().pool.query<{ 'QUERY PLAN': string }>(`explain ${query}`)).rows.map((row) => row['QUERY PLAN']).join('\n')
    const listed = `select * from drops where seller = 'station' and status = 'success' order by registration desc limit 50`
    expect(await planOf(listed)).toContain('drops_by_status')
    expect(await planOf(`select seller, drop_id from drop_files where landed_at < now() - interval '30 days'`)).toContain('drop_files_old')
    expect(await planOf(`select seller from landed_manifests where first_seen_at < now() - interval '30 days'`)).toContain(
      'landed_manifests_old',
    )
    expect(await oldDrops(db(), 10)).toEqual([])
  })
})
