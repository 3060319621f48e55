/** How a story ended. `known_failing`: it failed, and was named as one that does. */
export type Grade = 'passed' | 'failed' | 'not_applicable' | 'fixture_unsatisfied' | 'runner_error' | 'known_failing'

/** What somebody who integrates must hold, told in the contract's words. */
export interface Story<World> {
  /** Names it in reports and options: `seller.decides`. */
  readonly id: string
  /** One sentence of the contract. */
  readonly title: string
  /** The page and heading that has the rule: `docs/contract/states.md#decide`. */
  readonly link: string
  /** Of a seller: the level that it belongs to. */
  readonly level?: number
  run(world: World, holds: Holds): Promise<void>
}

/** Does a step of a story, under the sentence that holds if it does not throw. */
export type Holds = <Value>(sentence: string, step: () => Value | Promise<Value>) => Promise<Value>

export interface StepResult {
  readonly sentence: string
  readonly held: boolean
}

export interface StoryResult extends Pick<Story<unknown>, 'id' | 'title' | 'link' | 'level'> {
  readonly grade: Grade
  readonly steps: readonly StepResult[]
  readonly seconds: number
  /** Why it did not pass, and what to do; absent if it passed. */
  readonly cause?: string
  readonly fix?: string
}

/** A sentence does not hold: what was seen, and what to change. */
export class NotHeld extends Error {
  readonly fix: string
  constructor(cause: string, fix: string) {
    super(cause)
    this.fix = fix
  }
}

/** The story is about something that the integration does not do. The message says what. */
export class NotApplicable extends Error {}

/** What the story needs is not there, before anything was begun. */
export class FixtureUnsatisfied extends NotHeld {}

/** No answer came from the marketplace; nothing is known of the integration. */
export class Unreachable extends Error {}

/** Runs a story to its end or to the first sentence that does not hold. Never throws. */
export async function runStory<World>(story: Story<World>, world: World): Promise<StoryResult> {
  const { id, title, link, level } = story
  const steps: StepResult[] = []
  const begun = Date.now()
  const holds: Holds = async (sentence, step) => {
    try {
      const value = await step()
      steps.push({ sentence, held: true })
      return value
    } catch (error) {
      if (!(error instanceof NotApplicable)) steps.push({ sentence, held: false })
      throw error
    }
  }
  const ended = await story.run(world, holds).then(
    () => ({ grade: 'passed' as const }),
    (error: unknown) => endOf(error, steps),
  )
  const seconds = (Date.now() - begun) / 1_000
  return { id, title, link, ...(level === undefined ? {} : { level }), ...ended, steps, seconds }
}

/** A setup that began and failed is a failure of what it met; only one that could not begin is a missing fixture. */
function endOf(error: unknown, steps: readonly StepResult[]): Pick<StoryResult, 'grade' | 'cause' | 'fix'> {
  if (error instanceof NotApplicable) return { grade: 'not_applicable', cause: error.message }
  if (error instanceof FixtureUnsatisfied && !steps.some(({ held }) => held)) {
    return { grade: 'fixture_unsatisfied', cause: error.message, fix: error.fix }
  }
  if (error instanceof NotHeld) return { grade: 'failed', cause: error.message, fix: error.fix }
  const cause = error instanceof Error ? error.message : String(error)
  return { grade: 'runner_error', cause, fix: 'run it again; nothing was learned about the integration' }
}
