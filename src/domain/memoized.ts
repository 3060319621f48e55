/** Remembers what a function of a text or a number returns, for as many arguments as recur in one piece of work. */
export function memoized<Argument extends string | number, Value>(compute: (argument: Argument) => Value): (argument: Argument) => Value {
  const known = new Map<Argument, Value>()
  return (argument) => {
    const found = known.get(argument)
    if (found !== undefined) return found
    const value = compute(argument)
    if (known.size >= MOST) known.clear()
    known.set(argument, value)
    return value
  }
}

const MOST = 5_000
