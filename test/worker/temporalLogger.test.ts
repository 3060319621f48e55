import { describe, expect, it } from '@jest/globals'
import type { Logger } from 'pino'
import { temporalLogger } from '../../worker/temporalLogger.ts'

/** A log that keeps its lines, and takes no `trace`. */
function kept() {
  const lines: unknown[][] = []
  const write = (level: string) => (rest: unknown, message: string) => void lines.push([level, message, rest])
  const levels = Object.fromEntries(['trace', 'debug', 'info', 'warn', 'error'].map((level) => [level, write(level)]))
  return { lines, logger: { ...levels, isLevelEnabled: (level: string) => level !== 'trace' } as unknown as Logger }
}

describe('what the SDK of Temporal logs', () => {
  it('is written at its level, with its error as any other of this service, and without what names no one', () => {
    const { lines, logger } = kept()
    const log = temporalLogger(logger)
    const error = new Error('no')
    log.warn('a step failed', { error, taskToken: 'secret', sdkComponent: 'core', queue: 'orders' })
    log.info('started')
    log.log('ERROR', 'broken', { run: 1 })
    log.trace('each task')
    log.debug('detail')
    expect(lines).toEqual([
      ['warn', 'a step failed', { queue: 'orders', err: error }],
      ['info', 'started', {}],
      ['error', 'broken', { run: 1 }],
      ['debug', 'detail', {}],
    ])
  })

  it.each([
    'No workflows registered, not polling for workflow tasks',
    'No Nexus services registered, not polling for Nexus tasks',
    'Worker state changed',
    'shutdown_worker rpc errored during worker shutdown: Status { code: NotFound }',
  ])('is no news where it is said of each queue: %s', (message) => {
    const { lines, logger } = kept()
    const log = temporalLogger(logger)
    log.info(message)
    log.warn(message)
    log.error(message)
    expect(lines.map(([level]) => level)).toEqual(['debug', 'debug', 'error'])
  })
})
