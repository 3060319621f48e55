import { WEEKDAYS, type Weekday } from '../../../contract/vocabulary.ts'

/**
 * Reads weekdays: `M-F`, `MTuWThF`, `Sa-Su`, `M T W R F Sa Su`, `MTWTF--`, `.....SS`, `XXXXX__`, `(S-U)`, `Mon-Fri`. R is Thursday and U is Sunday.
 * The last day of `M-S` may be either of two, so it is none.
 */
export function daysOf(text: string): readonly Weekday[] | undefined {
  const plain = text.trim().replace(/^\((.*)\)$/, '$1')
  if (plain.length > 40 || !/^[A-Za-z][A-Za-z ,/.&_-]*$|^[._-]{1,6}[A-Za-z][A-Za-z._-]*$/.test(plain)) return undefined
  const grid = plain.replace(/\s/g, '')
  if (/^[MTWFSRU._-]{7}$|^[X._-]{7}$/i.test(grid) && /[A-Z]/i.test(grid)) {
    const isOff = (letter: string) => '._-'.includes(letter)
    const fits = [...grid.toUpperCase()].every((letter, at) => isOff(letter) || letter === 'X' || LETTERS[at]?.includes(letter) === true)
    if (fits) return WEEKDAYS.filter((_, at) => !isOff(grid[at] as string))
    // Letters at places that tell days, in another order.
    if ([...grid].some(isOff)) return undefined
  }
  const range = /^([A-Za-z]{1,9})\.?\s?(?:-|–|to|thru)\s?([A-Za-z]{1,9})\.?$/.exec(plain)
  if (range !== null) {
    const [from, to] = [dayOf(range[1] ?? '', 'first'), dayOf(range[2] ?? '', 'last')]
    if (range[2]?.toLowerCase() === 's' && from !== 5) return undefined
    return from === undefined || to === undefined || from >= to ? undefined : WEEKDAYS.slice(from, to + 1)
  }
  return listed(plain)
}

const LETTERS = ['M', 'T', 'W', 'TR', 'F', 'S', 'SU']

/** Reads a row of day names with or without gaps, which has to ascend: `MTuWThF`, `WR`, `M T W R F`, `S, U`. A gap ends a name. */
function listed(plain: string): readonly Weekday[] | undefined {
  const days: number[] = []
  const parts = plain.split(/[\s,/.&]+/).filter((part) => part !== '')
  const isOfLetters = parts.length === 1 && /r/i.test(plain.replace(/th?u?rs?|fri?/gi, ''))
  // The last two letters of `FSU` are one day or two.
  if (parts.length === 1 && !isOfLetters && /[MTWF]SU$/.test(plain) && !/TU|TH|SA/.test(plain)) return undefined
  for (const part of parts) {
    let rest = part.toLowerCase()
    while (rest !== '') {
      const name = NAMES.find(([word]) => rest.startsWith(word) && (!isOfLetters || word.length === 1))
      const after = days.at(-1) ?? -1
      const day = name === undefined ? undefined : name[1].find((of) => of > after)
      if (name === undefined || day === undefined) return undefined
      days.push(day)
      rest = rest.slice(name[0].length)
    }
  }
  return days.length === 0 ? undefined : days.map((day) => WEEKDAYS[day] as Weekday)
}

/** Names of days with the days that they may mean, longer names first. S is Saturday unless Saturday was named. */
const NAMES: readonly [string, readonly number[]][] = (
  [
    ['monday', [0]],
    ['tuesday', [1]],
    ['wednesday', [2]],
    ['thursday', [3]],
    ['friday', [4]],
    ['saturday', [5]],
    ['sunday', [6]],
    ['thurs', [3]],
    ['thur', [3]],
    ['tues', [1]],
    ['mon', [0]],
    ['tue', [1]],
    ['wed', [2]],
    ['thu', [3]],
    ['fri', [4]],
    ['sat', [5]],
    ['sun', [6]],
    ['mo', [0]],
    ['tu', [1]],
    ['we', [2]],
    ['th', [3]],
    ['fr', [4]],
    ['sa', [5]],
    ['su', [6]],
    ['m', [0]],
    ['t', [1, 3]],
    ['w', [2]],
    ['r', [3]],
    ['f', [4]],
    ['s', [5, 6]],
    ['u', [6]],
  ] as [string, number[]][]
).sort((a, b) => b[0].length - a[0].length)

function dayOf(name: string, end: 'first' | 'last'): number | undefined {
  const days = NAMES.find(([word]) => word === name.toLowerCase())?.[1]
  return end === 'first' ? days?.[0] : days?.at(name.toLowerCase() === 's' ? -1 : 0)
}
