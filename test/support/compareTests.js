import { readFileSync } from 'node:fs'
import { testFile } from './timings.js'

// `node test/support/compareTests.js before.json after.json`: the tests that only one of two runs had, by their full names. Each report is
// what `npm test -- --json --outputFile=<report>` writes. A test that moved to another file keeps its name, and is not listed.
const [before, after] = process.argv.slice(2).map(namesIn)
if (after === undefined) throw new Error('node test/support/compareTests.js <report before> <report after>')
const gone = onlyIn(before, after)
for (const line of gone) process.stdout.write(`gone   ${line}\n`)
for (const line of onlyIn(after, before)) process.stdout.write(`added  ${line}\n`)
process.exitCode = gone.length > 0 ? 1 : 0

/** How often each full name stands in a report, and in which files: describes of several files have tests of the same names. */
function namesIn(report) {
  const names = new Map()
  for (const { name, assertionResults } of JSON.parse(readFileSync(report, 'utf8')).testResults)
    for (const { fullName } of assertionResults) names.set(fullName, [...(names.get(fullName) ?? []), testFile(name)])
  return names
}

function onlyIn(one, other) {
  return [...one].flatMap(([name, files]) => {
    const more = files.length - (other.get(name)?.length ?? 0)
    return more > 0 ? [`${more === 1 ? '' : `${more} times `}${name} (${[...new Set(files)].join(', ')})`] : []
  })
}
