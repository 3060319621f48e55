import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from '@jest/globals'
import { runScript } from '../support/runScript.ts'

it.each([
  { sent: ['SIGINT', 'SIGINT', 'SIGINT'], pauseMs: 5, exit: 0 },
  { sent: ['SIGINT', 'SIGINT'], pauseMs: 1_100, exit: 1 },
  { sent: ['SIGINT', 'SIGTERM'], pauseMs: 20, exit: 1 },
] as const)('$sent every $pauseMs ms end with $exit', async ({ sent, pauseMs, exit }) => {
  const script = runScript(`
    import { onStopSignal } from './src/embedded/stopSignals.ts'
    onStopSignal(() => setTimeout(() => process.exit(0), 2_000))
    console.log('ready')
    setInterval(() => undefined, 1_000)
  `)
  expect(await script.nextLine()).toBe('ready')
  const ended = new Promise((done) => script.process.once('exit', (code) => done(code)))
  for (const signal of sent) {
    script.process.kill(signal)
    await sleep(pauseMs)
  }
  expect(await ended).toBe(exit)
})
