import type { Logger as TemporalLogger } from '@temporalio/worker'
import type { Logger } from 'pino'

/** Writes the log of Temporal's SDK to our log. */
export function temporalLogger(logger: Logger): TemporalLogger {
  const write = (level: 'trace' | 'debug' | 'info' | 'warn' | 'error') => (message: string, meta?: Record<string | symbol, unknown>) => {
    if (!logger.isLevelEnabled(level)) return
    const { error, sdkComponent, taskToken, ...rest } = meta ?? {}
    logger[level](error === undefined ? rest : { ...rest, err: error }, message)
  }
  const byLevel = { TRACE: write('trace'), DEBUG: write('debug'), INFO: write('info'), WARN: write('warn'), ERROR: write('error') }
  return {
    log: (level, message, meta) => byLevel[level](message, meta),
    trace: byLevel.TRACE,
    debug: byLevel.DEBUG,
    info: byLevel.INFO,
    warn: byLevel.WARN,
    error: byLevel.ERROR,
  }
}
