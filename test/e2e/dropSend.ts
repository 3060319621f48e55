import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { writeDropFile } from '../../src/sdk/dropClient/writeDropFile.ts'
import { COMMAND_LINE } from '../support/commandLine.ts'
import { type TemporaryFolder, temporaryFolder } from '../support/files/temporaryFolder.ts'
import { aProduct, aRate } from '../support/orders/published.ts'
import { runProgram, spawnProgram } from '../support/runProgram.ts'
import type { UsedProduct } from './useProduct.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** The tests of `order-marketplace drop send` against a running product. */
export function dropSend(product: UsedProduct): void {
  let home: TemporaryFolder
  beforeAll(async () => {
    home = await temporaryFolder()
  })
  afterAll(() => home.remove())

  const asSummit = () => ({ MARKETPLACE_URL: product.baseUrl, MARKETPLACE_TOKEN: product.credentials.sellers.summit?.token })
  const ofSandbox = () => ['--credentials', join(product.dataDir, 'credentials.json')]

  /** Runs the command as a user of a checkout does. */
  async function drop(...args: string[]) {
    const { NODE_OPTIONS: _, ...inherited } = process.env
    const child = spawn('npx', ['order-marketplace', 'drop', 'send', ...args], { cwd: ROOT, env: { ...inherited, ...asSummit() } })
    const [out, said, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
    return { code, said, out }
  }

  async function folderOf(files: Readonly<Record<string, Uint8Array>>): Promise<string> {
    const folder = await mkdtemp(join(home.path, 'folder-'))
    for (const [name, bytes] of Object.entries(files)) await writeFile(join(folder, name), bytes)
    return folder
  }

  describe('order-marketplace drop send', () => {
    it('sends a folder over the API: the result on standard output, refused rows as file:row on standard error, exit code 1', async () => {
      const folder = await folderOf({
        'catalog.csv': await catalog(),
        'rates.xlsx': await writeDropFile('xlsx', [rate('prime'), rate('primetime')]),
      })
      const { code, out, said } = await drop(folder)
      expect([code, JSON.parse(out)]).toMatchObject([1, { status: 'partial', rows_written: 2, rows_rejected: 1 }])
      expect(said).toMatch(/^rates\.xlsx:3: primetime .* \(UNKNOWN_PRODUCT_ID\)$/m)
    }, 60_000)

    it('sends by SFTP alone: exit code 0 when all rows were taken, and the same again', async () => {
      const folder = await folderOf({ 'catalog.csv': await catalog(), 'rates.xlsx': await writeDropFile('xlsx', [rate('prime')]) })
      const { code, out } = await drop(folder, '--seller', 'summit', '--sftp', ...ofSandbox())
      expect([code, JSON.parse(out)]).toMatchObject([0, { status: 'success', rows_written: 2, errors: [] }])
    }, 60_000)

    it.each([
      [3, ['--url', 'http://127.0.0.1:9'], /was not answered/],
      [1, ['--token', 'test_wrong'], /401/],
      [2, ['--sftp'], /Name the seller by --seller/],
      [1, ['--seller', 'summit', '--sftp', '--token', 'test_wrong'], /it refuses the credential/],
      [2, ['--seller', 'summit', '--sftp', '--fingerprint', 'SHA256:AAAA'], /its host key is SHA256:.*, and SHA256:AAAA was expected/],
      [2, ['--seller', 'summit', '--sftp', 'localhost:9'], /Give the fingerprint/],
      [3, ['--seller', 'summit', '--sftp', '127.0.0.1:9', '--fingerprint', 'SHA256:AAAA'], /cannot be used: .*ECONNREFUSED/],
    ])(
      'exit code %d and one sentence: %j',
      async (status, args, sentence) => {
        const folder = await folderOf({ 'catalog.csv': await catalog() })
        const { code, err } = await runProgram(COMMAND_LINE, ['drop', 'send', folder, ...ofSandbox(), ...args], asSummit())
        expect(err.trim().split('\n').at(-1)).toMatch(sentence)
        expect(code).toBe(status)
      },
      60_000,
    )

    it('says at Ctrl-C that nothing of a drop counts before its manifest', async () => {
      const folder = await folderOf({ 'catalog.csv': await catalog() })
      const stalled = createServer(() => undefined).listen(0, '127.0.0.1')
      await once(stalled, 'listening')
      const { port } = stalled.address() as AddressInfo
      const settings = { ...asSummit(), MARKETPLACE_URL: `http://127.0.0.1:${port}` }
      const child = spawnProgram(COMMAND_LINE, ['drop', 'send', folder], settings)
      stalled.once('request', () => child.kill('SIGINT'))
      const [err, [code]] = await Promise.all([text(child.stderr), once(child, 'close')])
      stalled.closeAllConnections()
      stalled.close()
      expect([code, err.trim().split('\n').at(-1)]).toEqual([130, expect.stringMatching(/^Stopped\. A drop counts from its manifest on/)])
    }, 60_000)
  })
}

const prime = aProduct('prime')
const rate = (product_id: string) => ({ ...aRate(product_id), effective: { start: '2030-06-03', end: '2030-06-30' } })
const catalog = () => writeDropFile('csv', [{ ...prime, taxonomy_version: 't1' }])
