import { findGoProgram } from './goProgram.ts'
import { TEMPORAL_SERVER } from './temporalServer.ts'

// Builds Temporal's own server ahead of the tests on it, which take it from the cache alone: the build takes minutes.
if ((await findGoProgram(TEMPORAL_SERVER)) === undefined) process.exitCode = 1
