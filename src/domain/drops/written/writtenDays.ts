const DAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const

/** How each day is written where nothing else can be meant. T and S alone are not here. */
const NAMES: ReadonlyMap<string, number> = new Map(
  [
    ['m', 'mo', 'mon', 'monday'],
    ['tu', 'tue', 'tues', 'tuesday'],
    ['w', 'we', 'wed', 'wednesday'],
    ['th', 'thu', 'thur', 'thurs', 'thursday'],
    ['f', 'fr', 'fri', 'friday'],
    ['sa', 'sat', 'saturday'],
    ['su', 'sun', 'sunday'],
  ].flatMap((names, day) => names.map((name) => [name, day] as const)),
)

/** Runs of letters that can be read in one way alone, as whole weeks. */
const RUNS: ReadonlyMap<string, number> = new Map([
  ['mtwtf', 5],
  ['mtwtfs', 6],
  ['mtwtfss', 7],
])

/** Returns the days of a text such as M-F, Sa-Su, Mon/Wed/Fri or MTuWThF; undefined where it can mean several things, or nothing. */
export function daysIn(text: string): string[] | undefined {
  const run = RUNS.get(text.toLowerCase())
  if (run !== undefined) return DAYS.slice(0, run)
  const found = new Set<number>()
  for (const part of text.split(/[,/;&\s]+/)) {
    const days = rangeOf(part) ?? joined(part)
    if (days === undefined) return undefined
    for (const day of days) found.add(day)
  }
  return DAYS.filter((_, day) => found.has(day))
}

function rangeOf(part: string): number[] | undefined {
  const [first, last, ...more] = part.split(/[-–]/).map((name) => NAMES.get(name.replace(/\.$/, '').toLowerCase()))
  if (first === undefined || more.length > 0) return undefined
  if (!/[-–]/.test(part)) return [first]
  if (last === undefined || last < first) return undefined
  return Array.from({ length: last - first + 1 }, (_, index) => first + index)
}

/** Splits letters without marks, such as MTuWThF: each begins with a capital. */
function joined(part: string): number[] | undefined {
  const names = part.match(/[A-Z][a-z]?/g) ?? []
  if (names.join('') !== part || names.length < 2) return undefined
  const days = names.map((name) => NAMES.get(name.toLowerCase()))
  return days.every((day, index) => day !== undefined && (index === 0 || day > (days[index - 1] ?? -1))) ? (days as number[]) : undefined
}
