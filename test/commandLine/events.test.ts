import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { beforeAll, describe, expect, it } from '@jest/globals'
import { COMMAND_LINE, useCommandLine } from '../support/commandLine.ts'
import { feedSettled } from '../support/engines/feedSettled.ts'
import { spawnProgram } from '../support/runProgram.ts'
import { until } from '../support/until.ts'
import { useMarket } from '../support/useMarket.ts'

const market = useMarket()
const line = useCommandLine()
let acme: { baseUrl: string; token: string }
let settings: NodeJS.ProcessEnv
beforeAll(() => {
  acme = { baseUrl: market.baseUrl, token: market.acme.token }
  settings = { MARKETPLACE_URL: acme.baseUrl, MARKETPLACE_TOKEN: acme.token }
})

/** The feed also has what sellers published. */
const ORDERS = ['--events', 'order.status_changed']
const idsIn = (out: string) =>
  out
    .trim()
    .split('\n')
    .filter((one) => one !== '')
    .map((one) => JSON.parse(one).event_id)

describe('events tail', () => {
  it('prints the feed to its end, and goes on from the checkpoint that it names', async () => {
    const ids = [await market.created(), await market.created()]
    await feedSettled(market.deps.db)
    const first = await line.as(acme, 'events', 'tail', '--once', ...ORDERS, '--limit', '1', '--json')
    expect([first.code, idsIn(first.out)]).toEqual([0, [`${ids[0]}:1`]])
    const [, checkpoint = ''] = /^Go on with --after '(.*)'\n$/.exec(first.err) ?? []
    const rest = await line.as(acme, 'events', 'tail', '--once', ...ORDERS, '--json', '--after', checkpoint)
    expect(idsIn(rest.out)).toEqual([`${ids[1]}:1`])
    expect((await line.as(acme, 'events', 'tail', '--once')).out).toMatch(new RegExp(`^${ids[0]} {2}\\S+ +1 {2}submitted$`, 'm'))
  })

  it('goes on from a file, prints what happens, and ends with 0 at Ctrl-C', async () => {
    const file = `${line.folder}/cursor.json`
    const before = await line.as(acme, 'events', 'tail', '--once', '--keep', file, '--json')
    const child = spawnProgram(COMMAND_LINE, ['events', 'tail', '--keep', file, '--json'], settings)
    const said = text(child.stderr)
    const order = await market.created()
    const [chunk] = (await once(child.stdout, 'data')) as [Buffer]
    child.kill('SIGINT')
    const [code] = (await once(child, 'close')) as [number]
    expect([code, await said, idsIn(chunk.toString())]).toEqual([0, '', [`${order}:1`]])
    expect(idsIn(before.out)).not.toContain(`${order}:1`)
    expect((await line.as(acme, 'events', 'tail', '--once', '--keep', file, '--json')).out).toBe('')
    expect(await readFile(file, 'utf8')).toMatch(/^\S+\n$/)
  })

  it('keeps no checkpoint of what a closed pipe or a full disk did not take, and says so in one sentence', async () => {
    const file = `${line.folder}/unwritten.json`
    const child = spawnProgram(COMMAND_LINE, ['events', 'tail', '--once', '--keep', file, '--json'], settings)
    child.stdout.destroy()
    const [err, [code]] = await Promise.all([text(child.stderr), once(child, 'close')])
    expect([code, err, existsSync(file)]).toEqual([141, 'The reader of the output has closed it.\n', false])
    if (!existsSync('/dev/full')) return
    const command = `${process.execPath} ${process.env.BUILD_DIR}/src/commandLine/main.js events tail --once --keep ${file} --json > /dev/full`
    const full = spawn('sh', ['-c', command], { env: { ...process.env, NODE_OPTIONS: '', ...settings } })
    const [said, [status]] = await Promise.all([text(full.stderr), once(full, 'close')])
    expect([status, said, existsSync(file)]).toEqual([1, 'The output cannot be written (ENOSPC).\n', false])
  })

  it('refuses a checkpoint, a type and a file that are none, in one sentence', async () => {
    const [checkpoint, half, type, file] = await Promise.all([
      line.as(acme, 'events', 'tail', '--once', '--after', 'nonsense'),
      line.as(acme, 'events', 'tail', '--once', '--after', '{"after":'),
      line.as(acme, 'events', 'tail', '--once', '--events', 'order.exploded'),
      line.as(acme, 'events', 'tail', '--once', '--keep', line.folder),
    ])
    expect(checkpoint).toMatchObject({ code: 1, out: '', err: expect.stringMatching(/^GET .* was refused with 4\d\d: .*\n$/) })
    expect(half).toMatchObject({ code: 2, out: '', err: expect.stringMatching(/^.* is not a checkpoint.*\n$/) })
    expect(type).toMatchObject({ code: 1, err: expect.stringContaining('order.exploded') })
    expect(file).toMatchObject({ code: 2, err: `${line.folder} cannot be read (EISDIR).\n` })
  })
})

describe('events resend, and requests', () => {
  it('has a delivery, or those of a period, sent again', async () => {
    expect(await line.as(acme, 'events', 'resend', '--from', '2026-01-01T00:00:00Z')).toMatchObject({
      code: 2,
      err: 'There is no webhook endpoint.\n',
    })
    const { body: endpoint } = await market.acme.post('/webhooks/endpoints', { url: 'http://127.0.0.1:9/hook' })
    const { body: test } = await market.acme.post(`/webhooks/endpoints/${endpoint.endpoint_id}/test`, {})
    await market.owner().query("update deliveries set status = 'delivered'") // as a worker would
    const again = await line.json(acme, 'events', 'resend', '--delivery', test.delivery_id)
    expect(again).toMatchObject({ redelivery_of: test.delivery_id, event_id: test.event_id })
    const range = await line.as(acme, 'events', 'resend', '--from', '2026-01-01T00:00:00Z', '--status', 'delivered')
    expect(range).toMatchObject({ code: 0, out: `1 deliveries of ${endpoint.endpoint_id} are sent again.\n` })
    await market.owner().query("update deliveries set status = 'pending' where redelivery_of is null")
    expect(await line.as(acme, 'events', 'resend')).toMatchObject({ code: 2, err: expect.stringMatching(/^Name a delivery by --delivery/) })
  })

  it('lists the calls that were refused', async () => {
    await market.acme.post('/orders', { ...market.order(), seller: '' })
    await until(async () => (await market.acme.get('/requests?status=422')).body.items[0]?.path === '/v1/orders')
    expect(await line.json(acme, 'requests', '--status', '422', '--limit', '1')).toMatchObject([
      { status: 422, path: '/v1/orders', pointers: ['/seller'] },
    ])
    const { code, out } = await line.as(acme, 'requests')
    expect([code, out]).toEqual([
      0,
      expect.stringMatching(/^at +status +code +call +about +request\n(.*\n)*.* 422 +INVALID_INPUT +POST \/v1\/orders +\/seller /),
    ])
  })
})
