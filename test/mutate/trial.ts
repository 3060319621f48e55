import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { HotJest } from './hotJest.ts'
import type { Mutant } from './mutant.ts'
import { testsOf } from './testsOf.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

export interface Outcome {
  readonly mutant: Mutant
  readonly end: 'killed' | 'hung' | 'survived' | 'unreached'
  /** The first test that failed. */
  readonly by: string | undefined
}

interface Options {
  /** Every fault of the build. */
  readonly mutants: readonly Mutant[]
  /** Test files in place of the nearest. */
  readonly tests: readonly string[] | undefined
  /** How many seconds of test files a fault is given, whose nearest are tried first. */
  readonly mostSeconds: number
}

/** Tries faults: runs each test file once without one, which says how long it takes and what it reaches, then the files that reach a fault. */
export class Trial {
  private readonly jest = new HotJest()
  private readonly seconds = new Map<string, number>()
  private readonly reach = new Map<string, ReadonlySet<number>>()

  private readonly options: Options

  constructor(options: Options) {
    this.options = options
  }

  async all(tried: readonly Mutant[]): Promise<Outcome[]> {
    const outcomes: Outcome[] = []
    const tests = new Map<string, readonly string[]>()
    for (const file of new Set(tried.map((mutant) => mutant.file))) tests.set(file, this.options.tests ?? (await testsOf(file)))
    try {
      for (const test of new Set([...tests.values()].flat())) await this.measure(test)
      for (const mutant of [...tried].sort((one, other) => Number(one.atLoad) - Number(other.atLoad))) {
        const outcome = await this.try(mutant, tests.get(mutant.file) ?? [])
        outcomes.push(outcome)
        report(outcome, outcomes.length, tried.length)
      }
    } finally {
      this.jest.stop()
    }
    return outcomes
  }

  private async measure(test: string): Promise<void> {
    const run = await this.jest.run({ mutant: 0, tests: [test], limitMs: 300_000, fresh: false, bundle: false })
    if (run === 'hung' || !run.passed) {
      process.stdout.write(`Left out, since it fails without a fault: ${test} ${run === 'hung' ? '' : run.failed[0]}\n`)
      return
    }
    this.seconds.set(test, run.seconds)
    this.reach.set(test, new Set(run.reached))
  }

  private async try(mutant: Mutant, candidates: readonly string[], tests = this.chosen(mutant, candidates)): Promise<Outcome> {
    if (tests.length === 0) return { mutant, end: 'unreached', by: undefined }
    const total = tests.reduce((sum, test) => sum + (this.seconds.get(test) ?? 0), 0)
    const limitMs = 15_000 + 4_000 * total
    const run = await this.jest.run({ mutant: mutant.id, tests, limitMs, fresh: mutant.atLoad, bundle: isInBundle(mutant) })
    if (run === 'hung') return { mutant, end: 'hung', by: undefined }
    // What is kept from before the fault was switched on may have hidden it.
    if (run.passed && !mutant.atLoad) return this.try({ ...mutant, atLoad: true }, candidates, tests)
    return { mutant, end: run.passed ? 'survived' : 'killed', by: run.failed[0] }
  }

  /** Returns the test files that reach a fault, the quickest first; of those of a fault at load, that reach its file. */
  private chosen(mutant: Mutant, candidates: readonly string[]): string[] {
    const known = candidates.filter((test) => this.seconds.has(test))
    const own = new Set(this.options.mutants.filter(({ file, atLoad }) => file === mutant.file && !atLoad).map(({ id }) => id))
    const reaching = known.filter((test) => {
      const reached = this.reach.get(test) ?? new Set()
      return mutant.atLoad ? [...own].some((id) => reached.has(id)) : reached.has(mutant.id)
    })
    const isUnseen = reaching.length === 0 && (mutant.atLoad || isInBundle(mutant))
    const list = (isUnseen ? known : reaching).sort((one, other) => (this.seconds.get(one) ?? 0) - (this.seconds.get(other) ?? 0))
    let total = 0
    return list.filter((test) => {
      total += this.seconds.get(test) ?? 0
      return total < this.options.mostSeconds
    })
  }
}

/** What runs in the engine's sandbox is not seen to be reached. */
function isInBundle({ file }: Mutant): boolean {
  return file.startsWith('workflows/')
}

function report({ mutant, end }: Outcome, at: number, of: number): void {
  if (at % 100 === 0) process.stderr.write(`${at} of ${of}\n`)
  if (end === 'killed' || end === 'hung') return
  const source = readFileSync(join(ROOT, mutant.file), 'utf8')
  const short = (text: string) => text.replace(/\s+/g, ' ').slice(0, 110)
  process.stdout.write(
    `${end} ${mutant.file}:${mutant.line} ${mutant.kind}: ${short(source.slice(mutant.start, mutant.end))} => ${short(mutant.text)}\n`,
  )
}
