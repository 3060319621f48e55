import { runChecks } from './runChecks.js'
import { runJest } from './runJest.js'

// `npm test` runs the checks and every test; `npm test -- <path>` runs the tests of that path alone. The last line is "N passed, N failed".
const jestArguments = process.argv.slice(2)
if (jestArguments.length > 0 || (await runChecks())) process.exitCode = await runJest('jest.config.js', jestArguments)
else {
  process.stdout.write('0 passed, 1 failed\n')
  process.exitCode = 1
}
