import TimedEnvironment from '../support/timedEnvironment.js'

/** The environment of every test, in which no test of a file starts after one has failed: a fault needs no second witness. */
export default class BailEnvironment extends TimedEnvironment {
  handleTestEvent(event) {
    // What was reached until here runs when a module loads, and a process loads it once.
    if (event.name === 'run_start') globalThis.mutation.loaded = globalThis.mutation.reached.slice()
    if (event.name === 'test_fn_failure' || event.name === 'hook_failure') this.failed = true
    if (event.name === 'test_start' && this.failed) event.test.mode = 'skip'
    super.handleTestEvent(event)
  }
}
