import { createRequire } from 'node:module'
import { TestEnvironment } from 'jest-environment-node'
import { nativeUrl } from './nativeModules.js'
import { addMeasured, testFile } from './timings.js'

/** The environment of node, which measures how long a file loads, how long its hooks take and how long its tests. */
export default class TimedEnvironment extends TestEnvironment {
  constructor(config, context) {
    super(config, context)
    this.file = testFile(context.testPath)
    this.begun = performance.now()
    this.seconds = { load: 0, setup: 0, run: 0 }
    this.global.importNative = (path) => import(nativeUrl(path))
    this.global.requireNative = requireNative
    // The modules that Node loads see the variables that a test sets.
    this.variables = { ...process.env }
    this.global.process.env = process.env
    for (const name of SHARED) this.global[name] = globalThis[name]
  }

  async teardown() {
    for (const name of Object.keys(process.env)) if (!(name in this.variables)) delete process.env[name]
    Object.assign(process.env, this.variables)
    await super.teardown()
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

const requireNative = createRequire(import.meta.url)
const SHARED = ['Date', 'Number', 'Error', 'RangeError', 'SyntaxError', 'TypeError']
