import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from '@jest/globals'

const SOURCE = fileURLToPath(new URL('../../console/src/', import.meta.url))
const MAX_LINES_OF_A_FILE = 250
const MAX_LINES_OF_A_FUNCTION = 60

const files = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.tsx?$/.test(name) && !name.endsWith('.d.ts'))
  .map((name) => ({
    name,
    lines: readFileSync(SOURCE + name, 'utf8')
      .trimEnd()
      .split('\n'),
  }))

describe('the source of the console', () => {
  it('has files of at most 250 lines', () => {
    expect(files.length).toBeGreaterThan(50)
    expect(files.filter(({ lines }) => lines.length > MAX_LINES_OF_A_FILE).map(({ name }) => name)).toEqual([])
  })

  it('measures a function to its end, not to that of its parameters', () => {
    expect(functionsOf(['function one({', '  a,', '}: Props) {', '  return a', '}', '']).map(({ length }) => length)).toEqual([5])
  })

  it('has functions of at most 60 lines', () => {
    const long = files.flatMap(({ name, lines }) =>
      functionsOf(lines)
        .filter(({ length }) => length > MAX_LINES_OF_A_FUNCTION)
        .map(({ first, length }) => `${name}: ${length} lines: ${first}`),
    )
    expect(long).toEqual([])
  })
})

/** Functions at the top of a file: as the formatter lays them out, each begins and ends at the left edge. Others are parts of these. */
function functionsOf(lines: readonly string[]): { first: string; length: number }[] {
  return lines.flatMap((first, at) => {
    if (!/^(export )?(async )?function /.test(first) && !/^(export )?const \w+ = .*=> \{$/.test(first)) return []
    // A parameter list of several lines ends with more than the brace.
    const end = lines.indexOf('}', at)
    return [{ first, length: (end < 0 ? lines.length : end) - at + 1 }]
  })
}
