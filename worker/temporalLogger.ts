import type { Logger as TemporalLogger } from '@temporalio/worker'
import type { Logger } from 'pino'

/** Writes the log of Temporal's SDK to our log. */
export function temporalLogger(logger: Logger): TemporalLogger {
  const write = (level: 'trace' | 'debug' | 'info' | 'warn' | 'error') => (message: string, meta?: Record<string | symbol, unknown>) => {
    if (!logger.isLevelEnabled(level)) return
    const { error, sdkComponent, taskToken, ...rest } = meta ?? {}
    logger[level](error === undefined ? rest : { ...rest, err: error }, message)
  }
  const unlessExpected = (level: 'info' | 'warn') => (message: string, meta?: Record<string | symbol, unknown>) =>
    write(EXPECTED.test(message) ? 'debug' : level)(message, meta)
  const byLevel = {
    TRACE: write('trace'),
    DEBUG: write('debug'),
    INFO: unlessExpected('info'),
    WARN: unlessExpected('warn'),
    ERROR: write('error'),
  }
  return {
    log: (level, message, meta) => byLevel[level](message, meta),
    trace: byLevel.TRACE,
    debug: byLevel.DEBUG,
    info: byLevel.INFO,
    warn: byLevel.WARN,
    error: byLevel.ERROR,
  }
}

/**
 * What the SDK says of each of our queues whenever its Worker is opened or ends: most have activities alone, and a namespace that is gone
 * cannot be told.
 */
const EXPECTED = /^(No workflows registered,|No Nexus services registered,|Worker state changed|shutdown_worker rpc errored .*NotFound)/
