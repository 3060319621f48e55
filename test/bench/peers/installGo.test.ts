import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { type GoPeer, installGo, programOf, sumOfSources } from './installGo.ts'
import { NotHereError } from './peer.ts'

const VARIABLE = 'PEER_OF_A_TEST_SRC'
const { XDG_CACHE_HOME: usualCache } = process.env
let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'install-go-'))
  for (const name of ['app', 'cmd/greet']) await mkdir(join(folder, name), { recursive: true })
  await writeFile(join(folder, 'go.mod'), 'module example.com/greet\n')
  await writeFile(join(folder, 'go.sum'), '')
  await writeFile(join(folder, 'app/app.go'), 'package app\n')
  await writeFile(join(folder, 'cmd/greet/main.go'), 'package main\n\nfunc main() {}\n')
  process.env.XDG_CACHE_HOME = join(folder, 'cache')
  process.env[VARIABLE] = folder
})

afterEach(async () => {
  if (usualCache === undefined) delete process.env.XDG_CACHE_HOME
  else process.env.XDG_CACHE_HOME = usualCache
  delete process.env[VARIABLE]
  await rm(folder, { recursive: true, force: true })
})

function peerOf(sum: string): GoPeer {
  const commit = '0123456789abcdef0123456789abcdef01234567'
  return { folder: 'greet', module: 'example.com/greet', commit, main: 'cmd/greet', sum, sourceVariable: VARIABLE }
}

describe('the sum of sources', () => {
  it('changes with the text of a file, and with its name', async () => {
    const first = await sumOfSources(folder)
    await writeFile(join(folder, 'app/app.go'), 'package app // changed\n')
    const second = await sumOfSources(folder)
    await rm(join(folder, 'app/app.go'))
    await writeFile(join(folder, 'app/other.go'), 'package app // changed\n')
    const third = await sumOfSources(folder)
    expect(new Set([first, second, third]).size).toBe(3)
  })

  it('is of what the program is built from, and of nothing beside it', async () => {
    const before = await sumOfSources(folder)
    await writeFile(join(folder, 'api-store.db'), 'rows')
    expect(await sumOfSources(folder)).toBe(before)
  })
})

describe('a program of a Go module', () => {
  it('is not built from other sources than those of its commit', async () => {
    const installed = installGo(peerOf('another sum'), () => undefined)
    await expect(installed).rejects.toThrow(NotHereError)
    await expect(installed).rejects.toThrow(`${VARIABLE} is not the folder of the sources at 0123456789ab`)
  })

  it('is not built from a folder that is not there', async () => {
    process.env[VARIABLE] = join(folder, 'absent')
    await expect(installGo(peerOf(await sumOfSources(folder)), () => undefined)).rejects.toThrow(NotHereError)
  })

  it('is taken from the cache once it is there', async () => {
    const peer = peerOf('another sum')
    const program = await programOf(peer)
    await mkdir(join(program, '..'), { recursive: true })
    await writeFile(program, '')
    expect(await installGo(peer, () => undefined)).toBe('0123456789ab')
  })
})
