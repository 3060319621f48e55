import { type Grade, runStory, type Story, type StoryResult } from './story.ts'

/** A suite with what it needs: the table of its stories is data, and the world is what they share. */
export interface Suite<World> {
  readonly name: string
  /** Whom it holds to the contract, for the report: a URL or a tenant. */
  readonly target: string
  readonly stories: readonly Story<World>[]
  readonly world: World
}

export interface RunOptions {
  /** Ids of stories, or beginnings of ids; all if omitted. */
  readonly only?: readonly string[]
  /** Ids of stories that are known to fail: they do not fail the run. */
  readonly knownFailing?: readonly string[]
  /** Called with each result at once, since a run can be long. */
  readonly onResult?: (result: StoryResult) => void
}

export interface Report {
  readonly suite: string
  readonly target: string
  /** ISO UTC. */
  readonly started_at: string
  readonly ended_at: string
  readonly grades: Readonly<Partial<Record<Grade, number>>>
  readonly stories: readonly StoryResult[]
  /** Of a seller: the level that its stories earned. */
  readonly badge?: Badge
}

export interface Badge {
  /** The highest level whose stories, and those of all lower ones, were earned; null if not even level 0 was. */
  readonly level: number | null
  /** ISO date. */
  readonly date: string
}

/** Runs the stories one after another, since several look at the same integration. */
export async function runSuite<World>(suite: Suite<World>, { only, knownFailing = [], onResult }: RunOptions = {}): Promise<Report> {
  const started_at = new Date().toISOString()
  const results: StoryResult[] = []
  for (const story of suite.stories.filter(({ id }) => isNamed(id, only))) {
    const result = known(await runStory(story, suite.world), knownFailing)
    results.push(result)
    onResult?.(result)
  }
  const grades: Partial<Record<Grade, number>> = {}
  for (const { grade } of results) grades[grade] = (grades[grade] ?? 0) + 1
  return { suite: suite.name, target: suite.target, started_at, ended_at: new Date().toISOString(), grades, stories: results }
}

/** Whether nothing stands between the integration and "done". */
export function isDone({ grades }: Pick<Report, 'grades'>): boolean {
  return grades.failed === undefined && grades.runner_error === undefined && grades.fixture_unsatisfied === undefined
}

function isNamed(id: string, only: readonly string[] | undefined): boolean {
  return only === undefined || only.some((name) => id === name || id.startsWith(`${name}.`))
}

function known(result: StoryResult, ids: readonly string[]): StoryResult {
  return result.grade === 'failed' && ids.includes(result.id) ? { ...result, grade: 'known_failing' } : result
}
