import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { buildConsole } from '../../../src/local/embedded/buildConsole.ts'
import { type TemporaryFolder, temporaryFolder } from '../../support/files/temporaryFolder.ts'

let home: TemporaryFolder
let folder: string
let said: string[]
const build = () => buildConsole({ folder, onProgress: (text) => said.push(text) })

beforeEach(async () => {
  home = await temporaryFolder()
  folder = home.path
  said = []
  await write('src/main.ts', 'one')
  await write('package-lock.json', JSON.stringify({ packages: { '': {}, 'node_modules/vite': { version: '1.0.0' } } }))
  await write('node_modules/.package-lock.json', JSON.stringify({ packages: { 'node_modules/vite': { version: '1.0.0' } } }))
  await vite(`fs.mkdirSync(out, { recursive: true }); fs.writeFileSync(path.join(out, 'index.html'), fs.readFileSync('src/main.ts'))`)
})

afterEach(() => home.remove())

describe('a build of the console', () => {
  it('is named in the stamp when it is whole, and is not made again while nothing has changed', async () => {
    expect(await build()).toBe(true)
    expect(await page()).toBe('one')
    expect(said).toHaveLength(2)
    expect(await build()).toBe(true)
    expect(said).toHaveLength(2)
  })

  it('is made again when a source has changed, and the one before is removed', async () => {
    await build()
    await write('src/main.ts', 'two')
    await build()
    expect(await page()).toBe('two')
    expect((await readdir(join(folder, 'dist'))).filter((name) => !name.startsWith('.'))).toHaveLength(1)
  })

  it('that fails names the command, stops nothing and leaves the one before', async () => {
    await build()
    await write('src/main.ts', 'two')
    await vite(`console.error('no room left'); process.exit(1)`)
    expect(await build()).toBe(false)
    expect(said.at(-1)).toContain('no room left')
    expect(said.at(-1)).toContain('npm run console:build')
    expect(await page()).toBe('one')
    expect(await readdir(join(folder, 'dist'))).not.toContain('.building')
  })

  it('is left to the process that builds already, not to one that was killed', async () => {
    await write('dist/.building', String(process.ppid))
    expect(await build()).toBe(false)
    await write('dist/.building', '999999999')
    expect(await build()).toBe(true)
  })

  it('ends with its caller and says nothing', async () => {
    await vite('setTimeout(() => undefined, 60_000)')
    const stopping = new AbortController()
    const onProgress = (text: string) => {
      said.push(text)
      stopping.abort()
    }
    const building = buildConsole({ folder, onProgress, signal: stopping.signal })
    expect(await building).toBe(false)
    expect(said).toHaveLength(1)
  })
})

async function page(): Promise<string> {
  const stamp = await readFile(join(folder, 'dist/.stamp'), 'utf8')
  return readFile(join(folder, 'dist', stamp, 'index.html'), 'utf8')
}

/** A program in place of vite, with the folder that it is to fill. */
function vite(script: string): Promise<void> {
  return write(
    'node_modules/vite/bin/vite.js',
    `const fs = require('node:fs'); const path = require('node:path'); const out = process.argv[process.argv.indexOf('--outDir') + 1]; ${script}`,
  )
}

async function write(name: string, text: string): Promise<void> {
  await mkdir(join(folder, name, '..'), { recursive: true })
  await writeFile(join(folder, name), text)
}
