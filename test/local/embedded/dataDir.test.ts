import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { lockDataDir, openDataDir } from '../../../src/local/embedded/dataDir.ts'
import { memoryDisk } from '../../support/files/memoryDisk.ts'
import { runScript } from '../../support/files/runScript.ts'
import { type TemporaryFolder, temporaryFolder } from '../../support/files/temporaryFolder.ts'
import { runProgram } from '../../support/runProgram.ts'

let home: TemporaryFolder

beforeEach(async () => {
  home = await temporaryFolder()
})

afterEach(() => home.remove())

describe('lockDataDir', () => {
  it('refuses a second supervisor in one sentence, and lets it in when the first is gone', async () => {
    const script = runScript(
      `
      import { lockDataDir } from './src/local/embedded/dataDir.ts'
      await lockDataDir(process.env.TEST_DATA_DIR)
      console.log('locked')
      setInterval(() => undefined, 1_000)
    `,
      { TEST_DATA_DIR: home.path },
    )
    expect(await script.nextLine()).toBe('locked')
    await expect(lockDataDir(home.path)).rejects.toThrow(
      `${home.path} is in use by the marketplace with process id ${script.process.pid}; stop that one or set DATA_DIR to another directory.`,
    )
    const gone = new Promise((done) => script.process.once('exit', done))
    script.process.kill('SIGKILL')
    await gone
    const lock = await lockDataDir(home.path)
    await lock.release()
    expect(await readdir(join(home.path, 'lock'))).toEqual([])
  })

  it('is not fooled by a pid that another program has by now', async () => {
    await mkdir(join(home.path, 'lock'))
    await writeFile(join(home.path, 'lock', `${process.ppid}@an-earlier-life`), '')
    await (await lockDataDir(home.path)).release()
  })

  it('refuses one of two simultaneous starts', async () => {
    const source = `
      import { lockDataDir } from './src/local/embedded/dataDir.ts'
      await lockDataDir(process.env.TEST_DATA_DIR).then(() => console.log('in'), () => console.log('out'))
      setInterval(() => undefined, 1_000)
    `
    const scripts = Array.from({ length: 4 }, () => runScript(source, { TEST_DATA_DIR: home.path }))
    const answers = await Promise.all(scripts.map((script) => script.nextLine()))
    for (const script of scripts) script.process.kill('SIGKILL')
    expect(answers.filter((answer) => answer === 'in').length).toBeLessThanOrEqual(1)
  })
})

describe('openDataDir', () => {
  it.each(['/dev/null/data', '/proc/data'])('says in one sentence that %s cannot be used', async (path) => {
    await expect(openDataDir(path)).rejects.toThrow(/^DATA_DIR \S+ cannot be used \(\w+\); choose a directory that you may write\.$/)
  })

  const disk = memoryDisk('size=1m,ro', 'The test of a data directory that is read-only')
  afterAll(() => disk?.remove())
  const withDisk = disk === undefined ? it.skip : it
  withDisk('says the same of one on a disk that is read-only, there or still to be made, and ends the start with 1', async () => {
    for (const path of [disk?.path ?? '', join(disk?.path ?? '', 'data')]) {
      const sentence = `DATA_DIR ${path} cannot be used (EROFS); choose a directory that you may write.`
      await expect(openDataDir(path)).rejects.toThrow(sentence)
      expect(await runProgram('src/cli/start', [], { DATA_DIR: path })).toEqual({ code: 1, out: '', err: `${sentence}\n` })
    }
  })
})
