import { type ChildProcess, execFile, fork } from 'node:child_process'
import { once } from 'node:events'
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { signatureHeaders } from '../../src/adapters/requestSignature.ts'
import { freePort } from '../../src/embedded/ports.ts'
import { temporaryFolder } from '../support/temporaryFolder.ts'
import { until } from '../workflows/until.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const SECRET = `whsec_${Buffer.alloc(32, 1).toString('base64')}`
const EVENT = { event_type: 'order.status_changed', note: 'Zoë' }

let folder: Awaited<ReturnType<typeof temporaryFolder>>
let receiver: ChildProcess | undefined
let url: string
const enqueued: unknown[] = []

/** By the compiler of the build, with a configuration of its own. */
async function compile(name: string, extended: string, compilerOptions: object, file: string): Promise<void> {
  const path = join(folder.path, name)
  const options = { noEmit: false, typeRoots: [join(ROOT, 'node_modules/@types')], ...compilerOptions }
  await writeFile(path, JSON.stringify({ extends: join(ROOT, extended), compilerOptions: options, files: [file], include: [] }))
  await promisify(execFile)(join(ROOT, 'node_modules/.bin/tsc'), ['-p', path], { cwd: folder.path })
}

beforeAll(async () => {
  folder = await temporaryFolder()
  const installed = join(folder.path, 'node_modules/order-marketplace')
  await mkdir(installed, { recursive: true })
  await copyFile(join(ROOT, 'package.json'), join(installed, 'package.json'))
  const built = { outDir: join(installed, 'dist'), rootDir: ROOT }
  await compile('package.tsconfig.json', 'tsconfig.build.json', built, join(ROOT, 'src/verifyWebhook.ts'))

  const page = await readFile(join(ROOT, 'docs/receiving-webhooks.md'), 'utf8')
  const shown = /```ts\n([\s\S]*?)```/.exec(page)?.[1] ?? ''
  const port = await freePort()
  const program = shown.replace('.listen(3000)', `.listen(${port}, '127.0.0.1', () => process.send?.('listening'))`)
  await writeFile(join(folder.path, 'package.json'), '{"type": "module"}')
  await writeFile(join(folder.path, 'receiver.ts'), `${program}\nconst enqueue = (event: unknown) => process.send?.({ event })\n`)
  await compile('receiver.tsconfig.json', 'tsconfig.json', { outDir: folder.path, rootDir: folder.path }, join(folder.path, 'receiver.ts'))
  receiver = fork(join(folder.path, 'receiver.js'), { env: { PATH: process.env.PATH, WEBHOOK_SECRET: SECRET }, execArgv: [] })
  await once(receiver, 'message')
  receiver.on('message', (said: { event: unknown }) => enqueued.push(said.event))
  url = `http://127.0.0.1:${port}/`
}, 60_000)
afterAll(async () => {
  receiver?.kill('SIGKILL')
  await folder.remove()
})

const send = async (body: string, more: Partial<Parameters<typeof signatureHeaders>[0]> = {}) => {
  const timestamp = Math.floor(Date.now() / 1_000)
  const headers = signatureHeaders({ id: 'ord_1:1', body: JSON.stringify(EVENT), timestamp, secrets: [SECRET], ...more })
  return (await fetch(url, { method: 'POST', headers, body })).status
}

describe('the receiver in TypeScript that the documentation shows, with the package as it is built', () => {
  it('answers 204 to what the platform signed, and works on it', async () => {
    expect(await send(JSON.stringify(EVENT))).toBe(204)
    await until(() => Promise.resolve(enqueued.length === 1), 10)
    expect(enqueued).toEqual([EVENT])
  })

  it('answers 400 to anything else, and does nothing', async () => {
    expect(await send('{}')).toBe(400)
    expect(await send(JSON.stringify(EVENT), { secrets: [`whsec_${Buffer.alloc(32, 2).toString('base64')}`] })).toBe(400)
    expect(await send(JSON.stringify(EVENT), { timestamp: Math.floor(Date.now() / 1_000) - 301 })).toBe(400)
    expect((await fetch(url, { method: 'POST', body: JSON.stringify(EVENT) })).status).toBe(400)
    expect(enqueued).toHaveLength(1)
  })
})
