import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { truncate, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'
import { expect, it } from '@jest/globals'
import { temporaryFolder } from '../support/files/temporaryFolder.ts'

const WATCHDOG = pathToFileURL('src/drops/reader/watchdog.ts').href
const TSX = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href

/** Runs a reader that begins a file of so many bytes and does `step` for ever; resolves with why it was ended, and how. */
async function endOf(bytes: number, limits: string, step: string): Promise<[string, string | null]> {
  const folder = await temporaryFolder()
  const path = join(folder.path, 'file')
  await writeFile(path, '')
  await truncate(path, bytes)
  const program = join(folder.path, 'busy.mjs')
  await writeFile(
    program,
    `import { startWatchdog } from ${JSON.stringify(WATCHDOG)}
    const progress = startWatchdog(${limits})
    progress.beginFile(${JSON.stringify(path)})
    const work = () => {
      for (const until = performance.now() + 200; performance.now() < until; );
      ${step}
      setImmediate(work)
    }
    work()`,
  )
  const child = spawn(process.execPath, ['--import', TSX, program], {
    env: { PATH: process.env.PATH },
    stdio: ['ignore', 'ignore', 'inherit', 'ignore', 'pipe'],
  })
  const [said, [, signal]] = await Promise.all([text(child.stdio[4] as Readable), once(child, 'exit')])
  await folder.remove()
  return [said, signal]
}

it.each([
  ['a small file', 10, 'one of its rows takes longer than 2 seconds to be read'],
  ['a file of 1 MiB', 1024 * 1024, 'one of its rows takes longer than 7 seconds to be read'],
])(
  'a reader that is busy without a row is ended soon: %s',
  async (_, bytes, reason) => expect(await endOf(bytes, '', '')).toEqual([reason, 'SIGKILL']),
  300_000,
)

it.each([
  ['time', '{ memoryBytes: 2 ** 33, fileMs: 600 }', 'it takes longer than 0.01 minutes to be read'],
  ['memory', '{ memoryBytes: 1, fileMs: 600_000 }', 'it needs too much memory to be read'],
])('a reader that has rows is ended when its file takes too much %s', async (_, limits, reason) => {
  expect(await endOf(10, limits, 'progress.row()')).toEqual([reason, 'SIGKILL'])
})
