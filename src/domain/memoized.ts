/** Remembers what a function of a text or a number returns, for as many arguments as recur in one piece of work. */
export function memoized<Argument extends string | number, Value>(compute: (argument: Argument) => Value): (argument: Argument) => Value {
  const known = new Map<Argument, Value>()
  return (argument) => {
    const found = known.get(argument)
    if (found !== undefined) return found
    const kept = copyOf(argument)
    const value = compute(kept)
    if (known.size >= MOST) known.clear()
    known.set(kept, value)
    return value
  }
}

const MOST = 5_000

/** A text that was cut out of a longer one keeps the whole of it in memory; its copy does not. */
function copyOf<Argument extends string | number>(argument: Argument): Argument {
  return JSON.parse(JSON.stringify(argument))
}
