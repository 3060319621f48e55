import { runChecks } from './runChecks.js'
import { runJest } from './runJest.js'

// `npm run check`: what is checked without an engine, then the tests of pure rules.
process.exitCode = (await runChecks()) ? await runJest('jest.domain.config.js', []) : 1
