import type { Logger as TemporalLogger } from '@temporalio/worker'
import type { Logger } from 'pino'

/** Writes the log of Temporal's SDK to our log. */
export function temporalLogger(logger: Logger): TemporalLogger {
  const write = (level: 'trace' | 'debug' | 'info' | 'warn' | 'error') => (message: string, meta?: Record<string | symbol, unknown>) => {
    if (!logger.isLevelEnabled(level)) return
    const { error, sdkComponent, taskToken, ...rest } = meta ?? {}
    logger[level](error === undefined ? rest : { ...rest, err: error }, message)
  }
  const warn = (message: string, meta?: Record<string | symbol, unknown>) => write(EXPECTED.test(message) ? 'debug' : 'warn')(message, meta)
  const byLevel = { TRACE: write('trace'), DEBUG: write('debug'), INFO: write('info'), WARN: warn, ERROR: write('error') }
  return {
    log: (level, message, meta) => byLevel[level](message, meta),
    trace: byLevel.TRACE,
    debug: byLevel.DEBUG,
    info: byLevel.INFO,
    warn: byLevel.WARN,
    error: byLevel.ERROR,
  }
}

/** Most of our queues have activities alone, which the SDK warns of at each start. */
const EXPECTED = /^No workflows registered,/
