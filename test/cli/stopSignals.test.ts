import { expect, it } from '@jest/globals'
import { runScript } from '../support/files/runScript.ts'

it.each([
  { later: [5, 10].map((at) => ({ signal: 'SIGINT', at })), exit: 0 },
  { later: [{ signal: 'SIGINT', at: 1_100 }], exit: 1 },
  { later: [{ signal: 'SIGTERM', at: 20 }], exit: 1 },
])('SIGINT and then $later (ms) end with $exit', async ({ later, exit }) => {
  // The script sets the clock itself, since a busy machine may deliver signals late.
  const script = runScript(`
    import { onStopSignal } from './src/cli/stopSignals.ts'
    let clock = 0
    performance.now = () => clock
    onStopSignal(() =>
      setImmediate(() => {
        for (const { signal, at } of ${JSON.stringify(later)}) {
          clock = at
          process.emit(signal, signal)
        }
        process.exit(0)
      }),
    )
    console.log('ready')
    setInterval(() => undefined, 1_000)
  `)
  expect(await script.nextLine()).toBe('ready')
  const ended = new Promise((done) => script.process.once('exit', done))
  script.process.kill('SIGINT')
  expect(await ended).toBe(exit)
})
