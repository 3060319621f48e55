import { TestEnvironment } from 'jest-environment-node'
import { addMeasured, testFile } from './timings.js'

/** The environment of node, which measures how long a file loads, how long its hooks take and how long its tests. */
export default class TimedEnvironment extends TestEnvironment {
  constructor(config, context) {
    super(config, context)
    this.file = testFile(context.testPath)
    this.begun = performance.now()
    this.seconds = { load: 0, setup: 0, run: 0 }
  }

  handleTestEvent({ name }) {
    const now = performance.now()
    if (name === 'run_start') this.seconds.load = (now - this.begun) / 1000
    if (name === 'hook_start' || name === 'test_fn_start') this.started = now
    if (name === 'hook_success' || name === 'hook_failure') this.seconds.setup += (now - this.started) / 1000
    if (name === 'test_fn_success' || name === 'test_fn_failure') this.seconds.run += (now - this.started) / 1000
    if (name === 'run_finish') addMeasured({ file: this.file, ...this.seconds })
  }
}
