import { writeSync } from 'node:fs'
import { keepTimings, takeMeasured, testFile } from './timings.js'

const SLOW_SECONDS = 20
const MOST_LISTED = 40

/**
 * Lists the slowest files of a long run and keeps the seconds of each file for the next one. Ends every run with `N passed, N failed`, whatever else is printed before, even if the run never
 * reached its tests.
 */
export default class SummaryReporter {
  constructor() {
    this.passed = 0
    this.failed = 1
    // Prints at exit, since jest's own summary, the teardown and its warnings come after a reporter's last call.
    process.on('exit', () => writeSync(1, `${this.passed} passed, ${this.failed} failed\n`))
  }

  onRunStart() {
    takeMeasured() // what a run that was killed has left
  }

  onRunComplete(_contexts, results) {
    this.passed = results.numPassedTests
    const nothingRan = results.numTotalTestSuites === 0 || results.wasInterrupted
    this.failed = results.numFailedTests + results.numRuntimeErrorTestSuites + (nothingRan ? 1 : 0)
    this.keepTimings(results)
    const slow = results.testResults
      .map(({ testFilePath, perfStats: { start, end } }) => ({
        file: testFile(testFilePath),
        seconds: (end - start) / 1000,
      }))
      .filter(({ seconds }) => seconds >= SLOW_SECONDS)
      .sort((one, other) => other.seconds - one.seconds)
    for (const { file, seconds } of slow.slice(0, MOST_LISTED)) writeSync(1, `${seconds.toFixed(0).padStart(5)} s  ${file}\n`)
  }

  keepTimings({ testResults }) {
    const measured = takeMeasured()
    const timings = testResults.flatMap(({ testFilePath, perfStats: { start, end }, testResults: tests }) => {
      const file = testFile(testFilePath)
      const seconds = measured.get(file)
      return seconds === undefined ? [] : [[file, { ...seconds, seconds: (end - start) / 1000, tests: tests.length }]]
    })
    keepTimings(Object.fromEntries(timings))
  }
}
