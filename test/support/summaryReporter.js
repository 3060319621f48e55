import { writeSync } from 'node:fs'

/** Ends every run with `N passed, N failed`, whatever else is printed before, and also when the run never came to its tests. */
export default class SummaryReporter {
  constructor() {
    this.passed = 0
    this.failed = 1
    // At exit, since jest's own summary, the teardown and its warnings come after a reporter's last call.
    process.on('exit', () => writeSync(1, `${this.passed} passed, ${this.failed} failed\n`))
  }

  onRunComplete(_contexts, results) {
    this.passed = results.numPassedTests
    const nothingRan = results.numTotalTestSuites === 0 || results.wasInterrupted
    this.failed = results.numFailedTests + results.numRuntimeErrorTestSuites + (nothingRan ? 1 : 0)
  }
}
