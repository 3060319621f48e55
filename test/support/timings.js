import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * How long each test file took in its own last run, in seconds, by its path from the root. `load`: until its modules are there. `setup`:
 * its hooks. `run`: its tests. `seconds`: the whole file, its environment and what jest does around it included.
 * @typedef {{ load: number, setup: number, run: number, seconds: number, tests: number }} Timing
 */

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const TIMINGS = join(ROOT, '.timings', 'files.json')
/** What the workers of a run have measured. Each appends whole lines, since their reporter is in another process. */
const MEASURED = join(ROOT, '.timings', 'measured.jsonl')

/** @returns {Record<string, Timing>} */
export function readTimings() {
  try {
    return JSON.parse(readFileSync(TIMINGS, 'utf8'))
  } catch {
    return {}
  }
}

/** @param {Record<string, Timing>} timings Of the files that ran; those of others stay, as long as they are there. */
export function keepTimings(timings) {
  mkdirSync(dirname(TIMINGS), { recursive: true })
  const kept = Object.entries({ ...readTimings(), ...timings }).filter(([file]) => existsSync(join(ROOT, file)))
  writeFileSync(TIMINGS, `${JSON.stringify(Object.fromEntries(kept), null, 1)}\n`)
}

export const testFile = (/** @type {string} */ path) => relative(ROOT, path)

/** @param {{ file: string, load: number, setup: number, run: number }} measured Of a file that a worker has finished. */
export function addMeasured(measured) {
  mkdirSync(dirname(MEASURED), { recursive: true })
  appendFileSync(MEASURED, `${JSON.stringify(measured)}\n`)
}

/** @returns {Map<string, { load: number, setup: number, run: number }>} What was measured since the last call, by file. */
export function takeMeasured() {
  let lines = ''
  try {
    lines = readFileSync(MEASURED, 'utf8')
  } catch {
    // No file has run.
  }
  rmSync(MEASURED, { force: true })
  return new Map(
    lines
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line))
      .map(({ file, ...measured }) => [file, measured]),
  )
}
