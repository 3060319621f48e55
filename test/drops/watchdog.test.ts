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

it.each([
  ['a small file', 10, 'one of its rows takes longer than 2 seconds to be read'],
  ['a file of 1 MiB', 1024 * 1024, 'one of its rows takes longer than 7 seconds to be read'],
])(
  'a reader that is busy without a row is ended soon: %s',
  async (_, bytes, reason) => {
    const folder = await temporaryFolder()
    const path = join(folder.path, 'file')
    await writeFile(path, '')
    await truncate(path, bytes)
    const program = join(folder.path, 'busy.mjs')
    await writeFile(
      program,
      `import { startWatchdog } from ${JSON.stringify(WATCHDOG)}
      startWatchdog().beginFile(${JSON.stringify(path)})
      const work = () => {
        for (const until = performance.now() + 200; performance.now() < until; );
        setImmediate(work)
      }
      work()`,
    )
    const child = spawn(process.execPath, ['--import', TSX, program], {
      env: { PATH: process.env.PATH },
      stdio: ['ignore', 'ignore', 'inherit', 'ignore', 'pipe'],
    })
    const [said, [, signal]] = await Promise.all([text(child.stdio[4] as Readable), once(child, 'exit')])
    expect([said, signal]).toEqual([reason, 'SIGKILL'])
    await folder.remove()
  },
  300_000,
)
