import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { truncate, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'
import { expect, it } from '@jest/globals'
import { compiledFile } from '../../../src/adapters/processes/ownModule.ts'
import { LIMITS, rowMsOf } from '../../../src/operations/drops/reader/watchdog.ts'
import { temporaryFolder } from '../../support/files/temporaryFolder.ts'

const COMPILED = compiledFile({ path: '../../../src/operations/drops/reader/watchdog', from: import.meta.url })
const WATCHDOG = pathToFileURL(COMPILED ?? 'src/operations/drops/reader/watchdog.ts').href
const LOADER = COMPILED === undefined ? ['--import', pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href] : []

async function fileOf(bytes: number, folder: string): Promise<string> {
  const path = join(folder, 'file')
  await writeFile(path, '')
  await truncate(path, bytes)
  return path
}

/** Runs a reader that begins a file of so many bytes and does `step` for ever; resolves with why it was ended, and how. */
async function endOf(bytes: number, limits: Partial<typeof LIMITS>, step: string): Promise<[string, string | null]> {
  const folder = await temporaryFolder()
  const path = await fileOf(bytes, folder.path)
  const program = join(folder.path, 'busy.mjs')
  await writeFile(
    program,
    `import { startWatchdog } from ${JSON.stringify(WATCHDOG)}
    const progress = startWatchdog(${JSON.stringify({ ...LIMITS, ...limits })})
    progress.beginFile(${JSON.stringify(path)})
    const work = () => {
      for (const until = performance.now() + 50; performance.now() < until; );
      ${step}
      setImmediate(work)
    }
    work()`,
  )
  const child = spawn(process.execPath, [...LOADER, program], {
    env: { PATH: process.env.PATH },
    stdio: ['ignore', 'ignore', 'inherit', 'ignore', 'pipe'],
  })
  const [said, [, signal]] = await Promise.all([text(child.stdio[4] as Readable), once(child, 'exit')])
  await folder.remove()
  return [said, signal]
}

it.each([
  ['a small file', 10, 'one of its rows takes longer than 1 seconds to be read'],
  ['a file of 1 MiB', 1024 * 1024, 'one of its rows takes longer than 2 seconds to be read'],
])('a reader that is busy without a row is ended soon: %s', async (_, bytes, reason) => {
  expect(await endOf(bytes, { rowMs: { least: 200, perMib: 1_000, max: 5_000 } }, '')).toEqual([reason, 'SIGKILL'])
})

it.each([
  ['a small file', 10, 2],
  ['a file of 1 MiB', 1024 * 1024, 7],
  ['a large file', 100 * 1024 * 1024, 30],
])('the processor time of a row of %s is limited', async (_, bytes, seconds) => {
  const folder = await temporaryFolder()
  expect(Math.trunc(rowMsOf(await fileOf(bytes, folder.path)))).toBe(seconds * 1_000)
  await folder.remove()
})

it.each([
  ['time', { memoryBytes: 2 ** 33, fileMs: 600 }, 'it takes longer than 0.01 minutes to be read'],
  ['memory', { memoryBytes: 1 }, 'it needs too much memory to be read'],
])('a reader that has rows is ended when its file takes too much %s', async (_, limits, reason) => {
  expect(await endOf(10, limits, 'progress.row()')).toEqual([reason, 'SIGKILL'])
})
