import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { writeDropFile } from '../../src/sdk/dropClient/writeDropFile.ts'
import { type TemporaryFolder, temporaryFolder } from '../support/files/temporaryFolder.ts'
import { aProduct, aRate } from '../support/orders/published.ts'
import { runProgram } from '../support/runProgram.ts'
import type { UsedProduct } from './useProduct.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** The tests of `npm run drop -- send` against a running product. */
export function dropSend(product: UsedProduct): void {
  let home: TemporaryFolder
  beforeAll(async () => {
    home = await temporaryFolder()
  })
  afterAll(() => home.remove())

  /** Runs the command as a user does; it finds the sandbox's credentials through the data directory. */
  async function drop(...args: string[]) {
    const { NODE_OPTIONS: _, ...inherited } = process.env
    const child = spawn('npm', ['run', '-s', 'drop', '--', 'send', ...args], {
      cwd: ROOT,
      env: { ...inherited, DATA_DIR: product.dataDir },
    })
    const [out, said, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
    return { code, said, out }
  }

  async function folderOf(files: Readonly<Record<string, Uint8Array>>): Promise<string> {
    const folder = await mkdtemp(join(home.path, 'folder-'))
    for (const [name, bytes] of Object.entries(files)) await writeFile(join(folder, name), bytes)
    return folder
  }

  describe('npm run drop -- send', () => {
    it('sends a folder over the API: the result on standard output, refused rows as file:row on standard error, exit code 1', async () => {
      const folder = await folderOf({
        'catalog.csv': await catalog(),
        'rates.xlsx': await writeDropFile('xlsx', [rate('prime'), rate('primetime')]),
      })
      const { code, out, said } = await drop(folder, '--seller', 'summit')
      expect([code, JSON.parse(out)]).toMatchObject([1, { status: 'partial', rows_written: 2, rows_rejected: 1 }])
      expect(said).toMatch(/^rates\.xlsx:3: primetime .* \(UNKNOWN_PRODUCT_ID\)$/m)
    }, 60_000)

    it('sends by SFTP alone: exit code 0 when all rows were taken, and the same again', async () => {
      const folder = await folderOf({ 'catalog.csv': await catalog(), 'rates.xlsx': await writeDropFile('xlsx', [rate('prime')]) })
      const { code, out } = await drop(folder, '--seller', 'summit', '--sftp')
      expect([code, JSON.parse(out)]).toMatchObject([0, { status: 'success', rows_written: 2, errors: [] }])
    }, 60_000)

    it.each([
      [['--url', 'http://127.0.0.1:9', '--seller', 'summit'], /was not answered/],
      [['--seller', 'summit', '--token', 'test_wrong'], /401/],
      [['--seller', 'nobody'], /Give a token by --token or MARKETPLACE_TOKEN/],
      [['--seller', 'summit', '--sftp', '--token', 'test_wrong'], /it refuses the credential/],
      [['--seller', 'summit', '--sftp', '--fingerprint', 'SHA256:AAAA'], /its host key is SHA256:.*, and SHA256:AAAA was expected/],
      [['--seller', 'summit', '--sftp', 'localhost:9'], /Give the fingerprint/],
    ])(
      '%j: exit code 2 and one sentence',
      async (args, sentence) => {
        const folder = await folderOf({ 'catalog.csv': await catalog() })
        const { code, err } = await runProgram('src/cli/drop', ['send', folder, ...args], { DATA_DIR: product.dataDir })
        expect(err.trim().split('\n').at(-1)).toMatch(sentence)
        expect(code).toBe(2)
      },
      60_000,
    )
  })
}

const prime = aProduct('prime')
const rate = (product_id: string) => ({ ...aRate(product_id), effective: { start: '2030-06-03', end: '2030-06-30' } })
const catalog = () => writeDropFile('csv', [{ ...prime, taxonomy_version: 't1' }])
