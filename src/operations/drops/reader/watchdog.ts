import { statSync } from 'node:fs'
import { Worker } from 'node:worker_threads'

/** The reader's reports to its watchdog. */
export interface Progress {
  beginFile(path: string): void
  row(): void
  /** Runs a wait for the user of the slices, during which no time counts. */
  waiting<T>(wait: () => T): T
}

/**
 * `memoryBytes` limits the whole process, since buffers are outside of the heap, which has its own limit. `rowMs` limits the processor time
 * until the next row; it ignores a busy machine, which is not a fault of the file. A small file gets less, since damage can make a decoder
 * loop. A packed file may inflate to a hundred times its bytes, of which 20 MB are read per second.
 */
export const LIMITS = { memoryBytes: 512 * 1024 * 1024, fileMs: 600_000, rowMs: { least: 2_000, perMib: 5_000, max: 30_000 } }
/** The descriptor to which the watchdog writes why it ended the process. */
const REASON = 4

/**
 * Ends the process with SIGKILL and a reason if it uses too much memory or time. Runs on its own thread, since a busy reader blocks
 * the timers of the main thread.
 */
export function startWatchdog({ memoryBytes, fileMs, rowMs } = LIMITS): Progress {
  // The numbers of rows and of files, whether the reader waits, and the milliseconds that a row of the file may take.
  const shared = new Int32Array(new SharedArrayBuffer(16))
  shared[3] = rowMs.max
  new Worker(
    `const { writeSync } = require('node:fs')
     const { workerData: shared } = require('node:worker_threads')
     const end = (reason) => { writeSync(${REASON}, reason); process.kill(process.pid, 'SIGKILL') }
     const worked = () => { const { user, system } = process.cpuUsage(); return (user + system) / 1000 }
     let [rows, files] = shared, inFile = 0, rowBegan = worked(), last = performance.now()
     setInterval(() => {
       const now = performance.now(), passed = now - last
       last = now
       if (process.memoryUsage.rss() > ${memoryBytes}) end('it needs too much memory to be read')
       if (Atomics.load(shared, 2) === 1) return
       inFile += passed
       if (Atomics.load(shared, 1) !== files) [files, inFile] = [Atomics.load(shared, 1), 0]
       if (Atomics.load(shared, 0) !== rows) [rows, rowBegan] = [Atomics.load(shared, 0), worked()]
       const rowMs = Atomics.load(shared, 3)
       if (worked() - rowBegan > rowMs) end('one of its rows takes longer than ' + Math.ceil(rowMs / 1000) + ' seconds to be read')
       if (inFile > ${fileMs}) end('it takes longer than ${fileMs / 60_000} minutes to be read')
     }, 50)`,
    { eval: true, workerData: shared },
  ).unref()
  return {
    beginFile(path) {
      Atomics.add(shared, 1, 1)
      Atomics.add(shared, 0, 1)
      // Sets the new limit last, so that the previous file's time counts against its own limit.
      Atomics.store(shared, 3, rowMsOf(path, rowMs))
    },
    row: () => Atomics.add(shared, 0, 1),
    waiting(wait) {
      Atomics.store(shared, 2, 1)
      try {
        return wait()
      } finally {
        Atomics.store(shared, 2, 0)
      }
    },
  }
}

/** Returns the time limit of a row of a file. Ignores a missing file, since its reader reports that. */
export function rowMsOf(path: string, { least, perMib, max } = LIMITS.rowMs): number {
  const mib = (statSync(path, { throwIfNoEntry: false })?.size ?? 0) / (1024 * 1024)
  return Math.min(least + perMib * mib, max)
}
