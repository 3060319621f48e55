import { createHmac } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it } from '@jest/globals'
import { runSuite } from '../../src/conform/runSuite.ts'
import { webhookSuite } from '../../src/conform/webhook.ts'
import { runProgram } from '../support/runProgram.ts'

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`

type Answer = (request: { headers: IncomingMessage['headers']; body: Buffer; isSigned: boolean }) => number | 'hang'

/** A receiver that does its duties; a variant breaks one of them. */
async function receiver(answer: Answer = ({ isSigned }) => (isSigned ? 204 : 400)) {
  const serve = async (req: IncomingMessage, res: ServerResponse) => {
    const chunks: Buffer[] = []
    for await (const chunk of req) chunks.push(chunk)
    const body = Buffer.concat(chunks)
    const status = answer({ headers: req.headers, body, isSigned: isSigned(req.headers, body) })
    if (status !== 'hang') res.writeHead(status, status === 302 ? { location: '/elsewhere' } : {}).end()
  }
  const server = createServer((req, res) => void serve(req, res))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
  const stop = async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  return { url, stop }
}

/** Checks a signature as a receiver would, by the documents instead of the platform's code. */
function isSigned(headers: IncomingMessage['headers'], body: Buffer): boolean {
  const parts = String(headers['x-signature'])
    .split(',')
    .map((part) => part.split('='))
  const t = Number(parts.find(([name]) => name === 't')?.[1])
  const key = Buffer.from(SECRET.slice('whsec_'.length), 'base64')
  const expected = createHmac('sha256', key).update(`${t}.`).update(body).digest('hex')
  return Math.abs(Date.now() / 1_000 - t) <= 300 && parts.some(([name, value]) => name === 'v1' && value === expected)
}

async function failures(answer?: Answer) {
  const { url, stop } = await receiver(answer)
  const { stories } = await runSuite(webhookSuite({ url, secret: SECRET }))
  await stop()
  return stories.filter(({ grade }) => grade !== 'passed').map(({ id, grade, cause }) => [id, grade, cause])
}

const seen = new Set<unknown>()
const ago = ({ headers }: Parameters<Answer>[0]) => Date.now() / 1_000 - Number(headers['webhook-timestamp'])

describe('conform webhook', () => {
  it('passes a receiver that does its duties', async () => {
    expect(await failures()).toEqual([])
  })

  it.each<[string, Answer, string[]]>([
    ['verifies nothing', () => 204, ['webhook.refuses', 'webhook.stale']],
    ['refuses everything', () => 400, ['webhook.accepts', 'webhook.repeats', 'webhook.unknown', 'webhook.rotates']],
    ['takes what is old', (of) => (of.isSigned || ago(of) > 300 ? 204 : 400), ['webhook.stale']],
    ['takes what is from ahead', (of) => (of.isSigned || ago(of) < -300 ? 204 : 400), ['webhook.stale']],
    [
      'refuses repeats',
      ({ headers, isSigned }) => {
        if (!isSigned || seen.has(headers['webhook-id'])) return 409
        seen.add(headers['webhook-id'])
        return 204
      },
      ['webhook.repeats'],
    ],
    [
      'fails at an unknown event',
      ({ isSigned, body }) => (isSigned ? (body.includes('of_a_later_version') ? 500 : 204) : 400),
      ['webhook.unknown'],
    ],
    [
      'reads only the first signature',
      ({ isSigned, headers }) => (isSigned && !/v1=.+v1=/.test(String(headers['x-signature'])) ? 204 : 400),
      ['webhook.rotates'],
    ],
    [
      'redirects',
      () => 302,
      ['webhook.accepts', 'webhook.repeats', 'webhook.unknown', 'webhook.rotates', 'webhook.refuses', 'webhook.stale'],
    ],
  ])('fails a receiver that %s', async (_, answer, ids) => {
    const found = await failures(answer)
    expect(found.map(([id]) => id)).toEqual(ids)
    for (const [, grade] of found) expect(grade).toBe('failed')
  })

  it('fails one that hangs, after five seconds', async () => {
    const { url, stop } = await receiver(() => 'hang')
    const { stories } = await runSuite(webhookSuite({ url, secret: SECRET }), { only: ['webhook.rotates'] })
    await stop()
    expect(stories).toMatchObject([{ id: 'webhook.rotates', grade: 'failed', cause: 'it did not answer within 5 s' }])
  })

  it('ends the command with 0, 1 and 2', async () => {
    const [good, bad] = [await receiver(), await receiver(() => 204)]
    const run = (...args: string[]) => runProgram('src/commandLine/main', ['conform', 'webhook', ...args])
    const [passed, failed, noUrl, unknown] = await Promise.all([
      run(good.url, '--secret', SECRET, '--json'),
      run(bad.url, '--secret', SECRET, '--known-failing', 'webhook.stale'),
      run('nothing', '--secret', SECRET),
      run(good.url, '--secret', SECRET, '--only', 'webhook.sings'),
    ])
    await Promise.all([good.stop(), bad.stop()])
    expect([passed.code, failed.code, noUrl.code, unknown.code]).toEqual([0, 1, 2, 2])
    expect(JSON.parse(passed.out)).toMatchObject({ suite: 'webhook', grades: { passed: 6 } })
    expect(failed.out).toMatch(/^known +webhook\.stale/m)
    expect([noUrl.err, unknown.err]).toEqual(['nothing is no URL.\n', expect.stringContaining('There is no story webhook.sings')])
  })
})
