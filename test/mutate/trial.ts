import { HotJest } from './hotJest.ts'
import type { Mutant } from './mutant.ts'
import { testsOf } from './testsOf.ts'

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
  /** The faults whose code runs when its module loads. */
  private readonly loaded = new Set<number>()

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
    const run = await this.jest.run({ mutant: 0, tests: [test], limitMs: 300_000, fresh: false })
    if (run === 'hung' || !run.passed) {
      process.stdout.write(`Left out, since it fails without a fault: ${test} ${run === 'hung' ? '' : run.failed[0]?.slice(0, 1_000)}\n`)
      return
    }
    for (const id of run.loaded) this.loaded.add(id)
    this.seconds.set(test, run.seconds)
    this.reach.set(test, new Set(run.reached))
  }

  /** Tries a fault where code is loaded, and then in a new process, since what was made before the fault was switched on may have hidden it. */
  private async try(mutant: Mutant, candidates: readonly string[]): Promise<Outcome> {
    const isLoaded = mutant.atLoad || this.loaded.has(mutant.id)
    // The sandbox of workflows loads its bundle in each run.
    const isLoadedAnew = mutant.file.startsWith('workflows/') && !this.loaded.has(mutant.id)
    const reaching = isLoaded ? [] : this.quickest(this.reaching(candidates, [mutant.id]))
    const first = reaching.length === 0 ? undefined : await this.run(mutant, reaching, false)
    if (first !== undefined && (first.end !== 'survived' || isLoadedAnew || mutant.isRemade)) return first
    if (reaching.length === 0 && !isLoaded) return { mutant, end: 'unreached', by: undefined }
    const own = this.options.mutants.filter(({ file, id, atLoad }) => file === mutant.file && !atLoad && !this.loaded.has(id))
    const near = this.reaching(
      candidates,
      own.map(({ id }) => id),
    )
    return this.run(mutant, this.quickest(near.length > 0 ? near : candidates.filter((test) => this.seconds.has(test))), !isLoadedAnew)
  }

  private async run(mutant: Mutant, tests: readonly string[], fresh: boolean): Promise<Outcome> {
    if (tests.length === 0) return { mutant, end: 'unreached', by: undefined }
    const total = tests.reduce((sum, test) => sum + (this.seconds.get(test) ?? 0), 0)
    const run = await this.jest.run({ mutant: mutant.id, tests, limitMs: 25_000 + 4_000 * total, fresh })
    if (run === 'hung') return { mutant, end: 'hung', by: undefined }
    return { mutant, end: run.passed ? 'survived' : 'killed', by: run.failed[0]?.split('\n')[0] }
  }

  /** Returns the test files that reach any of these faults. */
  private reaching(candidates: readonly string[], ids: readonly number[]): string[] {
    return candidates.filter((test) => ids.some((id) => this.reach.get(test)?.has(id) === true))
  }

  /** Returns the quickest of some test files, as many as a fault has time for. */
  private quickest(tests: readonly string[]): string[] {
    const secondsOf = (test: string) => this.seconds.get(test) ?? 0
    let total = 0
    return tests
      .toSorted((one, other) => secondsOf(one) - secondsOf(other))
      .filter((test, at) => {
        total += secondsOf(test)
        return at === 0 || total < this.options.mostSeconds
      })
  }
}

function report({ mutant, end }: Outcome, at: number, of: number): void {
  if (at % 10 === 0) process.stderr.write(`${at} of ${of}\n`)
  if (end === 'killed' || end === 'hung') return
  const short = (text: string) => text.replace(/\s+/g, ' ').slice(0, 110)
  process.stdout.write(`${end} ${mutant.file}:${mutant.line} ${mutant.kind}: ${short(mutant.original)} => ${short(mutant.text)}\n`)
}
