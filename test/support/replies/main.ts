import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { isDeepStrictEqual } from 'node:util'
import { REPLIES } from '../../../tools/docs/openapiExamples.ts'
import { startTestRun } from '../engines/testRun.ts'
import { startApp } from '../http/app.ts'
import { recordReplies } from './recordReplies.ts'
import { timeless } from './stable.ts'

/** `npm run docs:replies`: writes docs/examples/replies; leaves a file unchanged that would differ only in its times. */
async function main(): Promise<void> {
  const stop = await startTestRun()
  try {
    const app = await startApp()
    const recording = await recordReplies(app).finally(() => app.stop())
    await mkdir(REPLIES, { recursive: true })
    for (const [operation, byStatus] of Object.entries(recording)) {
      const file = new URL(`${operation}.json`, REPLIES)
      const stored = await readFile(file, 'utf8').then(JSON.parse, () => null)
      if (isDeepStrictEqual(timeless(stored), timeless(byStatus))) continue
      await writeFile(file, `${JSON.stringify(byStatus, null, 2)}\n`)
      process.stdout.write(`Recorded ${operation}.\n`)
    }
  } finally {
    await stop()
  }
}

await main()
