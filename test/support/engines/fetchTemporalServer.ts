import { findGoProgram } from './goProgram.ts'
import { TEMPORAL_SERVER } from './temporalServer.ts'

// Builds Temporal's own server before the tests that need it: they only take it from the cache, since the build takes minutes.
if ((await findGoProgram(TEMPORAL_SERVER)) === undefined) process.exitCode = 1
