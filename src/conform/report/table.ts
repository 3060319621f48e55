import { isDone, type Report } from '../runSuite.ts'
import type { Grade, StoryResult } from '../story.ts'

const SHOWN: Readonly<Record<Grade, string>> = {
  passed: 'passed',
  failed: 'FAILED',
  not_applicable: 'n/a',
  fixture_unsatisfied: 'NO FIXTURE',
  runner_error: 'ERROR',
  known_failing: 'known',
}

/** Returns the lines of one story: its grade, and below it the step that did not hold, why, what to do and where the rule is. */
export function linesOf({ id, title, grade, level, steps, cause, fix, link }: StoryResult): string {
  const head = `${SHOWN[grade].padEnd(10)}  ${level === undefined ? '' : `L${level}  `}${id.padEnd(28)}  ${title}`
  if (grade === 'passed') return `${head}\n`
  if (grade === 'not_applicable') return `${head}\n${indented('why', cause)}`
  const broken = steps.find(({ held }) => !held)?.sentence
  return `${head}\n${indented('step', broken)}${indented('cause', cause)}${indented('fix', fix)}${indented('rule', link)}`
}

function indented(name: string, text: string | undefined): string {
  return text === undefined ? '' : `              ${name.padEnd(6)} ${text}\n`
}

/** Returns the last lines of a run. */
export function summaryOf(report: Report): string {
  const counts = Object.entries(report.grades).map(([grade, count]) => `${count} ${grade}`)
  const badge = report.badge === undefined ? '' : `${badgeText(report)}\n`
  const verdict = isDone(report) ? 'done' : 'not done'
  return `\n${report.stories.length} stories of conform ${report.suite}: ${counts.join(', ')}\n${badge}${report.target}: ${verdict}\n`
}

function badgeText({ badge, target }: Report): string {
  return badge?.level === null ? `${target} has earned no level yet.` : `${target} has earned level ${badge?.level} on ${badge?.date}.`
}
