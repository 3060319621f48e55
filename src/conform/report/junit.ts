import type { Report } from '../runSuite.ts'
import type { StoryResult } from '../story.ts'

/** Returns the report in the form of JUnit, which CI systems read. */
export function junitOf({ suite, target, started_at, stories }: Report): string {
  const count = (...grades: StoryResult['grade'][]) => stories.filter(({ grade }) => grades.includes(grade)).length
  const seconds = stories.reduce((sum, story) => sum + story.seconds, 0)
  const figures =
    `tests="${stories.length}" failures="${count('failed')}" errors="${count('runner_error', 'fixture_unsatisfied')}" ` +
    `skipped="${count('not_applicable', 'known_failing')}" time="${seconds.toFixed(3)}"`
  return `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="conform">
  <testsuite name="${escaped(`conform ${suite}`)}" hostname="${escaped(target)}" timestamp="${started_at}" ${figures}>
${stories.map((story) => caseOf(suite, story)).join('\n')}
  </testsuite>
</testsuites>
`
}

function caseOf(suite: string, story: StoryResult): string {
  const head = `<testcase classname="${escaped(`conform.${suite}`)}" name="${escaped(`${story.id}: ${story.title}`)}" time="${story.seconds.toFixed(3)}"`
  if (story.grade === 'passed') return `    ${head}/>`
  const message = escaped(story.cause ?? story.grade)
  const broken = story.steps.find(({ held }) => !held)?.sentence
  const text = escaped([broken, story.cause, story.fix, story.link].filter((part) => part !== undefined).join('\n'))
  const body = {
    failed: `<failure message="${message}">${text}</failure>`,
    runner_error: `<error type="runner_error" message="${message}">${text}</error>`,
    fixture_unsatisfied: `<error type="fixture_unsatisfied" message="${message}">${text}</error>`,
    not_applicable: `<skipped message="${message}"/>`,
    known_failing: `<skipped message="known failing: ${message}"/>`,
  }[story.grade]
  return `    ${head}>${body}</testcase>`
}

/** Characters that XML 1.0 cannot hold at all. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it removes
const NOT_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g

function escaped(text: string): string {
  return text
    .replace(NOT_XML, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll('\n', '&#10;')
}
