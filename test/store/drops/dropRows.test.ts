import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { BYTES_PER_DROP } from '../../../src/contract/vocabulary/drops.ts'
import { mayPassNow } from '../../../src/store/drops/checkedAgain.ts'
import { keepClientTime, readClientTimes } from '../../../src/store/drops/clientTimes.ts'
import { findHash, keepHash } from '../../../src/store/drops/dropFiles.ts'
import { moveRun, noteStuck, OPEN_DROPS, RunMoved, readOpenRun, sweepDrops, wakeNextDrop } from '../../../src/store/drops/dropRun.ts'
import { type DropRow, readDrop, readDropRun } from '../../../src/store/drops/drops.ts'
import { endDrop } from '../../../src/store/drops/endDrop.ts'
import { markLanded, unlandedResults } from '../../../src/store/drops/landed.ts'
import { abandonLanding, beginLanding, deleteLanding, endLanding, growLanding, readLandingRoom } from '../../../src/store/drops/landings.ts'
import { deleteMapping, findMapping, listMappings, mappingsOfRun, saveMapping } from '../../../src/store/drops/mappings.ts'
import { deleteOldLandings, noteOldFiles, oldDrops } from '../../../src/store/drops/oldDrops.ts'
import { findRepeated, findReplayed, secondsToWait } from '../../../src/store/drops/registerDrop.ts'
import { operator } from '../../../src/store/tenants/securityEvents.ts'
import {
  anAgreementRow,
  anOrderRow,
  aProductRow,
  aSellerRowOf,
  aTenantRow,
  insertRows,
  minutesAgo,
  PAST,
} from '../../support/orders/rowsOfMarket.ts'
import { until } from '../../support/until.ts'
import { useDatabase } from '../../support/useDatabase.ts'

const db = useDatabase()
beforeAll(() =>
  insertRows(
    db.owner(),
    ['seller_one', 'seller_two'].flatMap((seller) => [aTenantRow(seller, 'seller'), aSellerRowOf(seller)]),
  ),
)
beforeEach(async () => {
  await db
    .owner()
    .query('truncate drops, drop_errors, drop_files, drop_stock, drop_landings, landed_manifests, drop_mappings, outbox cascade')
})

const DAY = 24 * 60
const OTHER = { seller: 'seller_two' }
const rows = async (sql: string) => (await db.owner().query(sql)).rows
const woken = async () => (await rows(`select target from outbox where kind = 'drop' order by 1`)).map(({ target }) => target)
const run = (drop_id: string, more: Record<string, unknown> = {}) =>
  ['drops', { seller: 'seller_one', drop_id, run_no: 1, schema_version: '1.0', files: '[]', ...more }] as const
const ENDED = { status: 'success', stage: 'ended', result: '{}', ended_at: PAST }
const runs = (...made: Parameters<typeof run>[]) =>
  insertRows(
    db.owner(),
    made.map((row) => run(...row)),
  )

describe('the open runs of a seller', () => {
  it('are worked on one after another, each after those registered before', async () => {
    await runs(
      ['d0', ENDED],
      ['d1', OTHER],
      ['d1', { replay_of_drop_id: 'd0', replay_of_run_no: 1 }],
      ['d2'],
      ['d3'],
      ['d3', { run_no: 2 }],
    )
    const open = async (drop_id: string) => {
      const found = await readOpenRun(db, { seller: 'seller_one', drop_id })
      return found && [found.run_no, found.waits_for]
    }
    expect(await Promise.all(['d0', 'd1', 'd2', 'd3', 'd4'].map(open))).toEqual([undefined, undefined, [1, null], [1, 'd2'], undefined])
    await wakeNextDrop(db.pool, 'seller_one')
    expect(await woken()).toEqual(['seller_one/d2'])
  })

  it('move from where they were read, one run at a time', async () => {
    await runs(['d1'], ['d1', { run_no: 2 }], ['d2'], ['d1', OTHER])
    const read = await readDropRun(db, { seller: 'seller_one', drop_id: 'd1', run_no: 1 })
    if (read === undefined) throw new Error('there is no run')
    const moved = await moveRun(db.pool, read, { stage: 'publish', cursor_file: 1, cursor_row: 5 })
    expect(await rows(`select drop_id from drops where stage = 'publish'`)).toEqual([{ drop_id: 'd1' }])
    for (const stale of [read, { ...moved, cursor_file: 0 }, { ...moved, cursor_row: 0 }, { ...moved, stage: 'avails' as const }])
      await expect(moveRun(db.pool, stale, { cursor_row: 9 })).rejects.toThrow(RunMoved)
    expect((await rows('select checked_at from drops where checked_at is not null')).length).toBe(0)
    const checked = await moveRun(db.pool, moved, { stage: 'avails' })
    const [{ checked_at }] = await rows(`select checked_at from drops where drop_id = 'd1' and run_no = 1 and seller = 'seller_one'`)
    await moveRun(db.pool, checked, { stage: 'finish' })
    expect(await rows('select checked_at from drops where checked_at is not null')).toEqual([{ checked_at }])
  })

  it('do not move once they have ended or replay another', async () => {
    await runs(['d0', ENDED], ['d1'], ['d2', { replay_of_drop_id: 'd0', replay_of_run_no: 1 }])
    for (const drop_id of ['d0', 'd2']) {
      const read = await readDropRun(db, { seller: 'seller_one', drop_id, run_no: 1 })
      await expect(moveRun(db.pool, read as never, { cursor_row: 9 })).rejects.toThrow(RunMoved)
    }
  })

  it('show why they are stuck until they end', async () => {
    await runs(['d1'], ['d1', { run_no: 2, ...ENDED }], ['d2'], ['d1', OTHER])
    for (const run_no of [1, 2]) await noteStuck(db, { seller: 'seller_one', drop_id: 'd1', run_no }, 'the store is away')
    expect(await rows('select drop_id, run_no from drops where stuck_reason is not null')).toEqual([{ drop_id: 'd1', run_no: 1 }])
    const [{ xmin }] = await rows(`select xmin::text from drops where stuck_reason is not null`)
    await noteStuck(db, { seller: 'seller_one', drop_id: 'd1', run_no: 1 }, 'the store is away')
    expect(await rows(`select xmin::text from drops where stuck_reason is not null`)).toEqual([{ xmin }])
  })

  it('are swept when the first of a seller has waited for a minute', async () => {
    const old = { registered_at: minutesAgo(2) }
    await runs(['d1', { ...old, ...ENDED }], ['d2', old], ['d3', old], ['d1', OTHER], ['d2', { ...OTHER, ...old }])
    expect((await rows(`select target from (${OPEN_DROPS}) open order by 1`)).map(({ target }) => target)).toEqual([
      ...['seller_one/d2', 'seller_two/d1'],
    ])
    expect([await sweepDrops(db), await sweepDrops(db), await woken()]).toEqual([1, 0, ['seller_one/d2']])
    await db.owner().query(`update outbox set kind = 'order'`)
    expect(await sweepDrops(db)).toBe(1)
  })
})

describe('the end of a run', () => {
  it('keeps its first errors in their order, and ends those that replay it', async () => {
    await runs(['d1', { stage: 'finish', error_count: 2 }], ['d2', { replay_of_drop_id: 'd1', replay_of_run_no: 1 }])
    await runs(['d3', { replay_of_drop_id: 'd1', replay_of_run_no: 2 }], ['d1', { run_no: 2 }], ['d1', OTHER])
    await runs(['d4', { ...ENDED, replay_of_drop_id: 'd1', replay_of_run_no: 1 }])
    const error = (n: number, more: object = {}) =>
      [
        'drop_errors',
        { seller: 'seller_one', drop_id: 'd1', run_no: 1, n, file: `f${n}`, row: n, error_code: 'INVALID_ENTRY', message: 'm', ...more },
      ] as const
    await insertRows(db.owner(), [error(2), error(1), error(1, { run_no: 2 }), error(1, { drop_id: 'd2' }), error(1, OTHER)])
    const key = { seller: 'seller_one', drop_id: 'd1', run_no: 1 }
    const client = await db.pool.connect()
    try {
      await client.query('begin')
      await endDrop(client, key)
      await client.query('commit')
    } finally {
      client.release()
    }
    const { result } = (await rows(`select result from drops where seller = 'seller_one' and drop_id = 'd1' and run_no = 1`))[0]
    expect(JSON.parse(result).errors.map(({ file }: { file: string }) => file)).toEqual(['f1', 'f2'])
    expect((await rows('select drop_id, run_no, seller from drop_errors order by 3, 1')).map((row) => Object.values(row).join())).toEqual([
      ...['d1,2,seller_one', 'd2,1,seller_one', 'd1,1,seller_two'],
    ])
    expect(
      (await rows('select drop_id, run_no, seller from drops where ended_at is null order by 1, 2, 3')).map((row) =>
        Object.values(row).join(),
      ),
    ).toEqual([...['d1,1,seller_two', 'd1,2,seller_one', 'd3,1,seller_one']])
  })

  it('is marked as landed with the runs of its drop before it', async () => {
    await runs(['d1', ENDED], ['d1', { ...ENDED, run_no: 2 }], ['d1', { ...ENDED, run_no: 3 }], ['d1', { ...ENDED, ...OTHER }])
    await runs(['d2', ENDED], ['d3'], ['d4', { ...ENDED, ended_at: new Date() }], ['d5', { ...ENDED, result_landed_at: PAST }])
    const unlanded = async (limit = 9) => (await unlandedResults(db, limit)).map(({ seller, drop_id }) => `${seller}/${drop_id}`).sort()
    expect(await unlanded()).toEqual(['seller_one/d1', 'seller_one/d2', 'seller_two/d1'])
    expect((await unlanded(1)).length).toBe(1)
    await markLanded(db, { seller: 'seller_one', drop_id: 'd1', run_no: 2 })
    await markLanded(db, { seller: 'seller_one', drop_id: 'd3', run_no: 1 })
    await markLanded(db, { seller: 'seller_one', drop_id: 'd5', run_no: 1 })
    const landed = await rows(`select drop_id, run_no, seller from drops where result_landed_at is not null order by 1, 2`)
    expect(landed.map((row) => Object.values(row).join())).toEqual(['d1,1,seller_one', 'd1,2,seller_one', 'd5,1,seller_one'])
    expect(await rows(`select drop_id from drops where result_landed_at = '${PAST}'`)).toEqual([{ drop_id: 'd5' }])
  })

  it('gives one that was not read its replays: the first its own work, the others that one to replay', async () => {
    const replaying = { replay_of_drop_id: 'd1', replay_of_run_no: 1 }
    await runs(['d1', { stage: 'finish', identity: 'i' }], ['d1', { run_no: 2, identity: 'j' }], ['d1', { ...OTHER, identity: 'k' }])
    await runs(['d2', replaying], ['d3', replaying], ['d3', { run_no: 2 }], ['d4', { ...ENDED, ...replaying }], ['d3', OTHER])
    const client = await db.pool.connect()
    try {
      await client.query('begin')
      await endDrop(client, { seller: 'seller_one', drop_id: 'd1', run_no: 1 }, { isUnread: true })
      await client.query('commit')
    } finally {
      client.release()
    }
    const found = await rows(`select seller, drop_id, run_no, replay_of_drop_id, identity from drops
      where replay_of_drop_id is not null or identity is not null order by 1, 2, 3`)
    expect(found.map((row) => Object.values(row).join())).toEqual([
      ...['seller_one,d1,2,,j', 'seller_one,d3,1,d2,', 'seller_one,d4,1,d1,', 'seller_two,d1,1,,k'],
    ])
    expect(await woken()).toEqual(['seller_one/d2'])
  })
})

describe('a registration', () => {
  it('finds the newest open run of the drop with the same manifest', async () => {
    const same = { manifest_sha256: 'm' }
    await runs(
      ['d1', same],
      ['d1', { ...same, run_no: 2 }],
      ['d1', { ...same, ...ENDED, run_no: 3 }],
      ['d1', { run_no: 4, manifest_sha256: 'n' }],
    )
    await runs(['d2', { ...same, run_no: 9 }], ['d1', { ...same, ...OTHER, run_no: 9 }])
    const found = await findRepeated(db, 'seller_one', { drop_id: 'd1', manifest_sha256: 'm' })
    expect([found?.drop_id, found?.run_no, found?.seller]).toEqual(['d1', 2, 'seller_one'])
    expect(await readDrop(db, 'seller_one', 'd1')).toMatchObject({ run_no: 4 })
  })

  const POSTS = { files: '[{"filename":"f","type":"delivery_posts","sha256":"h"}]' }
  it.each<[string, Parameters<typeof run>[], boolean]>([
    ['nothing has come since', [], true],
    ['a later drop of posts is open', [['d9', { ...POSTS, registration: 9 }]], false],
    ['an earlier drop of posts is open', [['d9', { ...POSTS, registration: 4 }]], true],
    ['a later drop of other files is open', [['d9', { registration: 9 }]], true],
    ['a later drop of posts has ended', [['d9', { ...POSTS, ...ENDED, registration: 9 }]], true],
    ['a later replay is open', [['d9', { ...POSTS, registration: 9, replay_of_drop_id: 'd0', replay_of_run_no: 1 }]], true],
    ['a later drop of posts of another seller is open', [['d9', { ...POSTS, ...OTHER, registration: 9 }]], true],
    ['a later drop had the same bytes', [['d9', { ...POSTS, ...ENDED, result: '{"errors":[]}', registration: 9, identity: 'i' }]], false],
    [
      'a later drop replayed it',
      [['d9', { ...ENDED, registration: 9, identity: 'i', replay_of_drop_id: 'd1', replay_of_run_no: 1 }]],
      true,
    ],
    ['another seller had the same bytes', [['d9', { ...OTHER, ...ENDED, registration: 9, identity: 'i' }]], true],
    ['another drop had other bytes', [['d9', { ...ENDED, registration: 9, identity: 'j' }]], true],
    ['the drop was registered again', [['d1', { ...ENDED, registration: 9, run_no: 2, identity: 'j' }]], false],
  ])('finds without reading the files that the drop shows their result, where %s', async (_, others, expected) => {
    await runs(['d1', { ...POSTS, ...ENDED, result: '{"errors":[]}', registration: 5, identity: 'i' }], ...others)
    const find = () => findReplayed(db, 'seller_one', 'd1', 'i', [])
    expect((await find()) !== undefined).toBe(expected)
    await db.owner().query('update drops set is_replaced = true')
    expect(await find()).toBeUndefined()
  })

  it('finds it of files that are no posts, whatever comes later', async () => {
    await runs(['d1', { ...ENDED, result: '{"errors":[]}', registration: 5, identity: 'i' }], ['d9', { ...POSTS, registration: 9 }])
    expect(await findReplayed(db, 'seller_one', 'd1', 'i', [])).toMatchObject({ drop_id: 'd1' })
  })

  it('waits until the seller’s share of the day has room', async () => {
    await runs(
      ['d0', { registered_at: minutesAgo(25 * 60) }],
      ['d1', { registered_at: minutesAgo(60) }],
      ['d2', { registered_at: minutesAgo(30) }],
    )
    await runs(['d3', { ...OTHER, registered_at: minutesAgo(1) }])
    const wait = (perDay: number) => secondsToWait(db.pool as never, 'seller_one', perDay)
    expect([await wait(0), await wait(3)]).toEqual([undefined, undefined])
    const hours = async (perDay: number) => Math.round(((await wait(perDay)) ?? 0) / 1_800) / 2
    expect([await hours(1), await hours(2)]).toEqual([23.5, 23])
  })
})

describe('a refused row', () => {
  const error = (more: object) => ({ file: 'f', row: 1, error_code: 'INVALID_ENTRY', message: 'm', ...more })
  const passes = async (errors: object[], files: object[] = [{ filename: 'f', type: 'avails' }]) => {
    const [drop] = await rows(`select registration::text from drops where drop_id = 'd1' and seller = 'seller_one'`)
    const asked = { seller: 'seller_one', registration: drop.registration, files, result: JSON.stringify({ errors }) }
    return mayPassNow(db.pool, asked as unknown as DropRow, [])
  }
  const checked = (more: object = {}) =>
    runs(
      ['d1', { ...ENDED, registered_at: minutesAgo(60), checked_at: minutesAgo(30), files: '[{"type":"avails"}]', ...more }],
      ['d1', { ...OTHER, registered_at: minutesAgo(90) }],
    )

  it('may pass once a product of the seller has changed since it was checked', async () => {
    await checked()
    await insertRows(db.owner(), [
      aProductRow('early', { updated_at: minutesAgo(40) }),
      aProductRow('far', { ...OTHER, updated_at: minutesAgo(1) }),
      aProductRow('hidden', { added_by: 7, updated_at: minutesAgo(1) }),
    ])
    await db.owner().query(`update sellers set unpublished_commit_nos = '{7}' where seller = 'seller_one'`)
    const refused = [error({ error_code: 'UNKNOWN_PRODUCT_ID' })]
    expect(await passes(refused)).toBe(false)
    await insertRows(db.owner(), [aProductRow('late', { updated_at: minutesAgo(20) })])
    expect([await passes(refused), await passes([error({ error_code: 'OTHER' })])]).toEqual([true, false])
  })

  it('may pass since the registration, of a drop that was never checked', async () => {
    await checked({ checked_at: null })
    expect(await passes([error({ error_code: 'UNKNOWN_PRODUCT_ID' })])).toBe(true)
    await db.owner().query(`set session_replication_role = replica; delete from products; set session_replication_role = origin`)
  })

  it('may pass once an order of the seller was placed since it was checked', async () => {
    await checked()
    await insertRows(db.owner(), [
      anOrderRow('ord_1', { placed_at: minutesAgo(40) }),
      anOrderRow('ord_2', { ...OTHER, placed_at: minutesAgo(1) }),
      anOrderRow('ord_3'),
    ])
    const refused = [error({ field: 'order_id' })]
    const posts = [{ filename: 'f', type: 'delivery_posts' }]
    expect(await passes(refused, posts)).toBe(false)
    await insertRows(db.owner(), [anOrderRow('ord_4', { placed_at: minutesAgo(20) })])
    expect([await passes(refused, posts), await passes([error({ field: 'isci' })], posts)]).toEqual([true, false])
    await db.owner().query('update drops set checked_at = null')
    await db.owner().query(`update orders set placed_at = now() - interval '50 minutes' where order_id = 'ord_4'`)
    expect(await passes(refused, posts)).toBe(true)
  })

  it('may pass once the seller has the agreement, or a mapping for its type since it was registered', async () => {
    await checked()
    const refused = [error({ error_code: 'OTHER', field: 'agreement_id', value: 'agr_1' })]
    await insertRows(db.owner(), [anAgreementRow('agr_1', OTHER), anAgreementRow('agr_2')])
    const mapping = (name: string, more: object = {}) =>
      [
        'drop_mappings',
        { seller: 'seller_one', name, version: 'v', type: 'avails', body: '{}', updated_at: minutesAgo(10), ...more },
      ] as const
    await insertRows(db.owner(), [
      mapping('early', { updated_at: minutesAgo(70) }),
      mapping('far', OTHER),
      mapping('ended', { is_current: false }),
      mapping('else', { type: 'catalog' }),
    ])
    expect(await passes(refused)).toBe(false)
    await insertRows(db.owner(), [mapping('late')])
    expect(await passes(refused)).toBe(true)
    await db.owner().query('truncate drop_mappings')
    await db.owner().query(`update agreements set seller = 'seller_one' where agreement_id = 'agr_1'`)
    expect(await passes(refused)).toBe(true)
  })
})

describe('the files of a drop', () => {
  const file = (filename: string, more: object = {}) =>
    ['drop_files', { seller: 'seller_one', drop_id: 'd1', filename, size: 1, ...more }] as const
  const KEY = { seller: 'seller_one', drop_id: 'd1', filename: 'a' }

  it('have the hash of the object with their tag, and the time that its client said', async () => {
    const others = [
      { ...KEY, seller: 'seller_two' },
      { ...KEY, drop_id: 'd2' },
      { ...KEY, filename: 'b' },
    ]
    for (const [at, key] of [...others, KEY].entries()) await keepHash(db, key, { size: 1, tag: 't', sha256: `hash ${at}` })
    expect([await findHash(db, KEY, 't'), await findHash(db, KEY, 'u')]).toEqual(['hash 3', undefined])
    for (const key of [
      { ...KEY, drop_id: 'd3' },
      { ...KEY, filename: 'c' },
    ])
      expect(await findHash(db, key, 't')).toBeUndefined()
    await keepHash(db, KEY, { size: 2, tag: 'u', sha256: 'new' })
    expect([await findHash(db, KEY, 'u'), await findHash(db, others[2] as typeof KEY, 't')]).toEqual(['new', 'hash 2'])
    await keepClientTime(db, KEY, { tag: 'u', changedAt: 5_000 })
    expect([...(await readClientTimes(db, KEY))]).toEqual([['a', { tag: 'u', changedAt: 5_000 }]])
    for (const key of others.slice(0, 2)) expect([...(await readClientTimes(db, key))]).toEqual([])
  })

  it('count what else has landed and is landing, each file once', async () => {
    const landing = (filename: string, more: object = {}) =>
      ['drop_landings', { seller: 'seller_one', drop_id: 'd1', filename, bytes: 100, until: minutesAgo(-9), ...more }] as const
    // Not by `insertRows`, which would leave the stock uncounted.
    for (const [table, row] of [
      file('a.csv', { size: 7 }),
      file('b.csv', { size: 10 }),
      file('manifest.json', { size: 5 }),
      file('c.csv', { ...OTHER, size: 1_000 }),
      file('d.csv', { drop_id: 'd2', size: 2_000, landed_at: minutesAgo(25 * 60) }),
      file('e.csv', { drop_id: 'd3', size: 3_000 }),
      landing('b.csv', { bytes: BYTES_PER_DROP - 1_000 }),
      landing('f.csv'),
      landing('g.csv', { until: PAST }),
      landing('h.csv', OTHER),
      landing('i.csv', { drop_id: 'd4' }),
    ] as const)
      await db
        .owner()
        .query(
          `insert into ${table} (${Object.keys(row).join()}) values (${Object.keys(row).map((_, at) => `$${at + 1}`)})`,
          Object.values(row),
        )
    const key = { ...KEY, filename: 'a.csv' }
    const unbounded = { dropsPerDay: 0, dropBytesPerSeller: 0 }
    const room = async (more: object, of = key) => (await readLandingRoom(db, of, { ...unbounded, ...more })).max
    expect(await room({ filesPerDrop: 3 })).toBe(900)
    await expect(room({ filesPerDrop: 2 })).rejects.toThrow('at most 2 files')
    const stock = 10 + 5 + 2_000 + 3_000 + BYTES_PER_DROP - 1_000 + 200
    expect(await room({ dropBytesPerSeller: stock + 50 })).toBe(50)
    expect(await room({ dropsPerDay: 1 })).toBe(900)
    const inNew = { ...key, drop_id: 'd9' }
    expect(await room({ dropsPerDay: 4, dropBytesPerSeller: stock + 57 }, inNew)).toBe(50)
    await expect(room({ dropsPerDay: 3 }, inNew)).rejects.toThrow('3 drops')
    const begun = await beginLanding(db, key, { needed: 50, wanted: 900 }, unbounded)
    const grown = await growLanding(db, begun, { needed: 900 }, unbounded)
    expect([grown.landing_id, grown.bytes]).toEqual([begun.landing_id, 900])
    await expect(beginLanding(db, { ...key, filename: 'z.csv' }, { needed: 1 }, unbounded)).rejects.toThrow('larger than')
    const landings = async () => (await rows('select filename from drop_landings order by 1')).map(({ filename }) => filename)
    expect(await landings()).toEqual(['a.csv', 'b.csv', 'f.csv', 'h.csv', 'i.csv'])
    await endLanding(db, grown, 55)
    expect(await rows(`select size::int from drop_files where filename = 'a.csv'`)).toEqual([{ size: 55 }])
    const second = await beginLanding(db, { ...key, drop_id: 'd9' }, { needed: 1 }, unbounded)
    await abandonLanding(db, second)
    expect(await landings()).toEqual(['b.csv', 'f.csv', 'h.csv', 'i.csv'])
  })

  it('reserve one after another', async () => {
    const client = await db.pool.connect()
    try {
      await client.query('begin')
      await client.query(`select pg_advisory_xact_lock(hashtextextended('landings:seller_one', 0))`)
      const landing = beginLanding(db, { ...KEY, filename: 'a.csv' }, { needed: 1 }, { dropsPerDay: 0, dropBytesPerSeller: 0 })
      await until(async () => (await db.owner().query('select from pg_locks where not granted')).rowCount === 1)
      await client.query('commit')
      expect(await landing).toMatchObject({ bytes: 1 })
    } finally {
      client.release()
    }
  })

  it('are removed, but for the last of a drop, which keeps its place in the day', async () => {
    for (const [table, row] of [file('a', { tag: 't', sha256: 'h' }), file('b'), file('a', OTHER), file('c', { drop_id: 'd2' })] as const)
      await insertRows(db.owner(), [[table, row]])
    await insertRows(db.owner(), [file('b', { drop_id: 'd3' }), file('b', { drop_id: 'd3', ...OTHER })])
    await deleteLanding(db, KEY)
    await deleteLanding(db, { ...KEY, filename: 'b' })
    const left = await rows('select seller, drop_id, filename, size::int from drop_files order by 1, 2, 3')
    expect(left.map((row) => Object.values(row).join())).toEqual([
      ...['seller_one,d1,b,0', 'seller_one,d2,c,1', 'seller_one,d3,b,1', 'seller_two,d1,a,1', 'seller_two,d3,b,1'],
    ])
  })

  it('are old after thirty days in which nothing of their drop has landed or ended', async () => {
    const old = { landed_at: minutesAgo(31 * DAY) }
    const seen = (drop_id: string, days: number) =>
      ['landed_manifests', { seller: 'seller_one', drop_id, tag: 't', first_seen_at: minutesAgo(days * DAY) }] as const
    await insertRows(db.owner(), [
      file('a', { ...old, drop_id: 'old' }),
      file('a', { ...old, drop_id: 'mixed' }),
      file('b', { drop_id: 'mixed' }),
      file('a', { ...old, drop_id: 'seen' }),
      seen('seen', 1),
      file('a', { ...old, drop_id: 'open' }),
      file('a', { ...old, drop_id: 'ended' }),
      file('a', { ...old, drop_id: 'over' }),
      file('a', { ...old, drop_id: 'twin' }),
      file('b', { ...OTHER, drop_id: 'twin' }),
      seen('manifest', 31),
      run('open'),
      run('ended', ENDED),
      run('over', { ...ENDED, ended_at: minutesAgo(31 * DAY) }),
      run('old', OTHER),
      run('twin', OTHER),
      ['landed_manifests', { ...seen('old', 1)[1], ...OTHER }],
    ])
    expect((await oldDrops(db, 9)).map(({ drop_id }) => drop_id).sort()).toEqual(['manifest', 'old', 'over', 'twin'])
    expect(await oldDrops(db, 1)).toHaveLength(1)
    await insertRows(db.owner(), [seen('mixed', 31), seen('mixed_2', 31)])
    await deleteOldLandings(db, { seller: 'seller_one', drop_id: 'mixed' })
    await deleteOldLandings(db, { seller: 'seller_one', drop_id: 'seen' })
    expect(
      (
        await rows(
          `select drop_id, filename from drop_files where seller = 'seller_one' and drop_id in ('mixed', 'seen', 'old') order by 1`,
        )
      ).map((row) => Object.values(row).join()),
    ).toEqual([...['mixed,b', 'old,a']])
    expect(
      (await rows(`select drop_id from landed_manifests where seller = 'seller_one' order by 1`)).map(({ drop_id }) => drop_id),
    ).toEqual([...['manifest', 'mixed_2', 'seen']])
    await noteOldFiles(db, 'seller_one', [
      { drop_id: 'mixed', filename: 'b', size: 99, landed_at: PAST },
      { drop_id: 'found', filename: 'x', size: 1, landed_at: PAST },
    ])
    expect(await rows(`select size::int from drop_files where drop_id in ('mixed', 'found') order by 1`)).toEqual([
      { size: 1 },
      { size: 1 },
    ])
  })
})

describe('the mappings of a seller', () => {
  const actor = operator('seller_one', 'seller', 'platform')
  const body = (type: string, more: object = {}) => ({ type, format: 'csv', columns: {}, ...more }) as never
  it('are read by name in the version in force, and by a run in those that it was registered with', async () => {
    await saveMapping(db, actor, 'b', body('avails'), {})
    const { mapping: first } = await saveMapping(db, actor, 'a', body('avails'), {})
    await saveMapping(db, actor, 'c', body('catalog'), {})
    await saveMapping(db, operator('seller_two', 'seller', 'platform'), 'a', body('rate_cards'), {})
    const used = JSON.stringify([
      { name: 'a', version: first.version },
      { name: 'c', version: 'none' },
    ])
    await runs(['d1', { mappings: used }], ['d1', { ...OTHER, mappings: used }], ['d2', { mappings: '[]' }])
    const { mapping: second } = await saveMapping(db, actor, 'a', body('avails', { sheet: 'x' }), {})
    expect(second.version).not.toBe(first.version)
    expect(await findMapping(db, 'seller_one', 'a')).toMatchObject({ version: second.version })
    expect((await listMappings(db, 'seller_one', { limit: 9 })).map(({ name }) => name)).toEqual(['a', 'b', 'c'])
    expect((await listMappings(db, 'seller_one', { after: 'a', limit: 1 })).map(({ name }) => name)).toEqual(['b'])
    const ofRun = async (drop_id: string, type: string, run_no = 1) =>
      (await mappingsOfRun(db, { seller: 'seller_one', drop_id, run_no }, type as never)).map(({ version }) => version)
    expect(await ofRun('d1', 'avails')).toEqual([first.version])
    expect([await ofRun('d1', 'catalog'), await ofRun('d2', 'avails'), await ofRun('d1', 'avails', 2)]).toEqual([[], [], []])
    await deleteMapping(db, actor, 'b')
    const left = async () =>
      (await rows('select seller, name, is_current from drop_mappings order by 1, 2, 3')).map((row) => Object.values(row).join())
    expect(await left()).toEqual(['seller_one,a,false', 'seller_one,a,true', 'seller_one,c,true', 'seller_two,a,true'])
    await db
      .owner()
      .query(`update drops set status = 'success', stage = 'ended', result = '{}', ended_at = now() where seller = 'seller_one'`)
    await deleteMapping(db, actor, 'none')
    expect(await left()).toEqual(['seller_one,a,true', 'seller_one,c,true', 'seller_two,a,true'])
  })
})
