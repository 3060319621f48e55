import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runCLI } from 'jest'
import { NOT_RUN } from './bailEnvironment.js'

/**
 * A process that stays: runs the test files of each message on the fault of the message, and answers whether they passed and what they
 * reached. What Node has loaded stays loaded, so a fault in code that runs at load needs a new process, which is given its id as MUTANT.
 */
process.on('message', async ({ mutant, tests, root, testTimeout }) => {
  process.env.MUTANT = String(mutant)
  globalThis.mutation ??= { active: 0, reached: new Uint8Array(1 << 17) }
  globalThis.mutation.active = mutant
  globalThis.mutation.reached.fill(0)
  globalThis.mutation.loaded = undefined
  globalThis.mutation.isNoticed = false
  globalThis.mutation.tests = tests
  process.env.MUTANTS_REACHED = join(process.env.BUILD_DIR, 'reached')
  writeFileSync(process.env.MUTANTS_REACHED, '')
  const begun = performance.now()
  const { results } = await runCLI(
    {
      config: JSON.stringify(await configOf(root, testTimeout)),
      runInBand: true,
      runTestsByPath: true,
      silent: true,
      watchman: false,
      _: tests,
      $0: 'jest',
    },
    [root],
  )
  const broken = results.testResults.filter((file) => file.numFailingTests > 0 || file.testExecError !== undefined)
  process.send({
    passed: results.success && results.numTotalTestSuites > 0,
    failed: broken.flatMap(({ testExecError, testResults }) => [
      ...(testExecError && !testExecError.message.includes(NOT_RUN) ? [testExecError.message] : []),
      ...testResults.filter(({ status }) => status === 'failed').map(({ fullName, failureMessages: [why = ''] }) => `${fullName}: ${why}`),
    ]),
    reached: [...idsOf(globalThis.mutation.reached), ...reachedElsewhere()],
    loaded: idsOf(globalThis.mutation.loaded ?? []),
    seconds: (performance.now() - begun) / 1000,
    heap: process.memoryUsage().heapUsed,
  })
})

function idsOf(hits) {
  const ids = []
  for (const [id, hit] of hits.entries()) if (hit === 1) ids.push(id)
  return ids
}

async function configOf(root, testTimeout) {
  const { base } = await import(join(root, 'jest.config.js'))
  const { globalSetup, globalTeardown, ...others } = base
  return {
    ...others,
    rootDir: root,
    // Otherwise each run would look through every file of every package.
    roots: ['<rootDir>/test'],
    testMatch: ['<rootDir>/test/**/*.test.ts'],
    testEnvironment: '<rootDir>/test/mutate/bailEnvironment.js',
    testSequencer: '<rootDir>/test/mutate/quickestFirst.js',
    reporters: [],
    modulePathIgnorePatterns: [...base.modulePathIgnorePatterns, '<rootDir>/.mutated/'],
    testTimeout,
  }
}

/** What other processes, threads and the sandboxes of workflows have reached. */
function reachedElsewhere() {
  return readFileSync(process.env.MUTANTS_REACHED, 'utf8').split('\n').filter(Boolean).map(Number)
}
