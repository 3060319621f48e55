import TimedEnvironment from '../support/timedEnvironment.js'

/** Why a file failed that was not run. */
export const NOT_RUN = 'an earlier file has noticed the fault'

/** The environment of every test, in which no test and no further file starts after one has failed: a fault needs no second witness. */
export default class BailEnvironment extends TimedEnvironment {
  async setup() {
    if (globalThis.mutation.isNoticed) throw new Error(NOT_RUN)
    await super.setup()
  }

  handleTestEvent(event) {
    // What was reached until here runs when a module loads, and a process loads it once.
    if (event.name === 'run_start') globalThis.mutation.loaded = globalThis.mutation.reached.slice()
    if (event.name === 'test_fn_failure' || event.name === 'hook_failure') globalThis.mutation.isNoticed = true
    if (event.name === 'test_start' && globalThis.mutation.isNoticed) event.test.mode = 'skip'
    super.handleTestEvent(event)
  }
}
