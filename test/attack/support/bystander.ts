import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

/** A quarter-busy event loop beside the one under attack. Its lag shows how noisy the machine is, whatever the cause. */
export interface Bystander {
  /** Returns the worst lag of its timers since the last call, in milliseconds. */
  worstLag(): Promise<number>
  stop(): Promise<unknown>
}

export function startBystander(): Bystander {
  const worker = new Worker(
    `const { monitorEventLoopDelay, performance } = require('node:perf_hooks')
     const delays = monitorEventLoopDelay({ resolution: 10 })
     delays.enable()
     setInterval(() => { for (const end = performance.now() + 5; performance.now() < end; ); }, 20)
     require('node:worker_threads').parentPort.on('message', function () {
       this.postMessage(Math.max(delays.max / 1e6 - 10, 0))
       delays.reset()
     })`,
    { eval: true },
  )
  return {
    async worstLag() {
      worker.postMessage('look')
      const [lag] = (await once(worker, 'message')) as [number]
      return Math.round(lag)
    },
    stop: () => worker.terminate(),
  }
}
