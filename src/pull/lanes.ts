/** Bounds how much of one purpose is under way per seller, so that one that hangs holds up nobody else's. */
export interface Lanes {
  /** Runs `work` in the seller's lane; `lane_full` when it gets no turn within `patience` milliseconds, or too many wait already. */
  run<T>(seller: string, patience: number, work: () => Promise<T>): Promise<T | 'lane_full'>
}

/** `atOnce` run per seller, `waiting` more wait for a turn. */
export function openLanes({ atOnce, waiting }: { atOnce: number; waiting: number }): Lanes {
  const lanes = new Map<string, Lane>()
  return {
    async run(seller, patience, work) {
      const lane = lanes.get(seller) ?? { running: 0, queue: [] }
      lanes.set(seller, lane)
      if (lane.running < atOnce) lane.running += 1
      else if (lane.queue.length >= waiting || !(await turn(lane, patience))) return 'lane_full'
      try {
        return await work()
      } finally {
        const next = lane.queue.shift()
        if (next !== undefined) next()
        else lane.running -= 1
        if (lane.running === 0) lanes.delete(seller)
      }
    },
  }
}

interface Lane {
  running: number
  /** Whoever leaves hands the place on to the first of these. */
  queue: (() => void)[]
}

function turn(lane: Lane, patience: number): Promise<boolean> {
  return new Promise((resolve) => {
    const mine = () => {
      clearTimeout(timer)
      resolve(true)
    }
    const timer = setTimeout(() => {
      lane.queue.splice(lane.queue.indexOf(mine), 1)
      resolve(false)
    }, patience)
    lane.queue.push(mine)
  })
}
