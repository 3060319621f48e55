import { writeSync } from 'node:fs'
import { tsImport } from 'tsx/esm/api'

/** Jest loads this file itself and would not translate TypeScript here. */
export default async function globalSetup({ maxWorkers }) {
  try {
    const { buildPrograms } = await tsImport('./engines/buildPrograms.ts', import.meta.url)
    const { startTestRun } = await tsImport('./engines/testRun.ts', import.meta.url)
    await buildPrograms()
    globalThis.endTestRun = await startTestRun(maxWorkers)
  } catch (error) {
    // Jest creates no reporter when the setup fails, and the run must still end with its line.
    process.on('exit', () => writeSync(1, '0 passed, 1 failed\n'))
    throw error
  }
}
