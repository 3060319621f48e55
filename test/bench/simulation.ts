/** A part of the service, as the model sees it: what of a core an order takes there, and how much of it can be done at a time. */
export interface Part {
  readonly cpuMs: number
  /** Threads of all its processes that can each use a core; an API process has one. */
  readonly threads: number
}

/** Parts that share the cores of one machine. */
export interface Model {
  readonly cores: number
  readonly parts: Readonly<Record<string, Part>>
  /** What an order waits for that takes no CPU: commits, the next look at the feed, the network. */
  readonly waitMs: number
}

export interface Predicted {
  readonly perSecond: number
  /** From the create to the close, on average. */
  readonly orderMs: number
}

/** No load is faster than this, by the laws of operational analysis, and from so many orders at once on it can only queue. */
export interface Knee {
  readonly perSecond: number
  readonly atOnce: number
  /** What is busy all the time beyond the knee: a part, or `cores`. */
  readonly limitedBy: string
}

export function kneeOf({ cores, parts, waitMs }: Model): Knee {
  const total = cpuOf(parts)
  const limits = Object.entries(parts).map(([name, { cpuMs, threads }]) => ({ limitedBy: name, perSecond: (1_000 * threads) / cpuMs }))
  limits.push({ limitedBy: 'cores', perSecond: (1_000 * cores) / total })
  const [least] = limits.sort((a, b) => a.perSecond - b.perSecond)
  const { limitedBy = '', perSecond = 0 } = least ?? {}
  return { limitedBy, perSecond, atOnce: (perSecond * (total + waitMs)) / 1_000 }
}

/** An order goes through all parts twice: when it is created, and when it is decided. */
const ROUNDS = 2

interface Walking {
  /** Of the order's steps the one at hand. */
  step: number
  /** CPU that the step still needs; while it waits, the time at which it goes on. */
  left: number
  began: number
}

/**
 * Simulates so many orders, so many at a time, each followed by the next. A step takes a thread of its part, in turn; the steps that have one share
 * the cores equally. Times of steps are exponential. Equal arguments give equal results.
 */
export function simulate(
  { cores, parts, waitMs }: Model,
  { orders, atOnce, seed = 1 }: { orders: number; atOnce: number; seed?: number },
): Predicted {
  const names = Object.keys(parts)
  const steps = Array.from({ length: ROUNDS }, () => names).flat()
  const random = exponential(seed)
  const running = new Map<string, Walking[]>(names.map((name) => [name, []]))
  const queued = new Map<string, Walking[]>(names.map((name) => [name, []]))
  const waiting: Walking[] = []
  let now = 0
  let begun = 0
  let closed = 0
  let spent = 0

  const begin = () => {
    if (begun === orders) return
    begun += 1
    enter({ step: 0, left: 0, began: now })
  }
  const enter = (order: Walking) => {
    const name = steps[order.step] as string
    const { cpuMs, threads } = parts[name] as Part
    order.left = random(cpuMs / ROUNDS)
    listOf(listOf(running, name).length < threads ? running : queued, name).push(order)
  }
  const leave = (name: string, order: Walking) => {
    const list = listOf(running, name)
    list.splice(list.indexOf(order), 1)
    const next = listOf(queued, name).shift()
    if (next !== undefined) list.push(next)
    order.step += 1
    if (order.step % names.length !== 0) return enter(order)
    order.left = now + random(waitMs / ROUNDS)
    waiting.push(order)
  }
  const goOn = (order: Walking) => {
    waiting.splice(waiting.indexOf(order), 1)
    if (order.step < steps.length) return enter(order)
    closed += 1
    spent += now - order.began
    begin()
  }

  while (begun < Math.min(atOnce, orders)) begin()
  while (closed < orders) {
    const busy = [...running].flatMap(([name, list]) => list.map((order) => ({ name, order })))
    const rate = Math.min(1, cores / Math.max(1, busy.length))
    const first = least(busy, ({ order }) => order.left)
    const ends = first === undefined ? Number.POSITIVE_INFINITY : now + first.order.left / rate
    const next = least(waiting, ({ left }) => left)
    const at = Math.min(ends, next?.left ?? Number.POSITIVE_INFINITY)
    for (const { order } of busy) order.left -= (at - now) * rate
    now = at
    if (first !== undefined && ends <= (next?.left ?? Number.POSITIVE_INFINITY)) leave(first.name, first.order)
    else if (next !== undefined) goOn(next)
  }
  return { perSecond: (1_000 * orders) / now, orderMs: spent / orders }
}

function cpuOf(parts: Model['parts']): number {
  return Object.values(parts).reduce((total, { cpuMs }) => total + cpuMs, 0)
}

function listOf(lists: Map<string, Walking[]>, name: string): Walking[] {
  return lists.get(name) as Walking[]
}

function least<T>(items: readonly T[], of: (item: T) => number): T | undefined {
  let found: T | undefined
  for (const item of items) if (found === undefined || of(item) < of(found)) found = item
  return found
}

/** Times with a given mean, by a generator (mulberry32) that begins with the seed. */
function exponential(seed: number): (mean: number) => number {
  let state = seed
  const uniform = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return (mean) => -Math.log(1 - uniform()) * mean
}
