import type { RunKind } from './runKind.ts'

/**
 * Sends an agreement's due mails from this process without Temporal. The row that started it stays claimed until it ends, so that another
 * worker can continue for a killed one. What is due later is left to the agreement's run, which keeps the time and which operators see.
 */
export const mailHere: NonNullable<RunKind['work']> = ({ mailSender }, { target }) =>
  mailSender?.sendWithoutRun(target)?.then((left) => {
    if (left === 'run') return 'wake'
    return left === 'ends' ? { again: 0 } : 'nothing'
  })
