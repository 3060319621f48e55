import { spawnSync } from 'node:child_process'
import { createServer } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { type TemporaryFolder, temporaryFolder } from '../support/temporaryFolder.ts'

let home: TemporaryFolder

beforeEach(async () => {
  home = await temporaryFolder()
})

afterEach(() => home.remove())

describe('npm start: broken configuration', () => {
  it.each([
    [{ PORT: 'abc' }, 'PORT must be a whole number from 1 to 65535; it is "abc".\n'],
    [{ MODE: 'test' }, 'MODE must be sandbox or production; it is "test".\n'],
    [{ HOST: 'nowhere.invalid' }, /^HOST nowhere\.invalid is not an address of this machine \(\w+\); correct HOST or leave it unset\.\n$/],
    [
      { DATABASE_URL: 'postgres://a:secret@127.0.0.1:1/b', TEMPORAL_ADDRESS: '127.0.0.1:1' },
      /^The database of DATABASE_URL cannot be reached \((?!.*secret).*\n$/,
    ],
  ])('%j stops it with one sentence', (settings, sentence) => {
    const run = start(settings)
    expect(run).toMatchObject({ status: 1, stdout: '' })
    if (typeof sentence === 'string') expect(run.stderr).toBe(sentence)
    else expect(run.stderr).toMatch(sentence)
  })

  it('stops with one sentence when an asked-for port is taken', async () => {
    const squatter = createServer()
    await new Promise<void>((done) => squatter.listen(0, '127.0.0.1', done))
    const { port } = squatter.address() as { port: number }
    const run = start({ PORT: String(port) })
    squatter.close()
    expect(run).toMatchObject({
      status: 1,
      stdout: '',
      stderr: `PORT ${port} is taken by another program; choose another port or leave PORT unset.\n`,
    })
  })
})

function start(settings: Record<string, string>) {
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, DATA_DIR: home.path, ...settings }
  return spawnSync(process.execPath, ['--import', 'tsx', 'src/embedded/main.ts'], { env, encoding: 'utf8', timeout: 20_000 })
}
