import type { LocalTime } from './localTime.ts'
import { isFree } from './spotGroups.ts'
import type { GroupWindow } from './spotsAndClaims.ts'

/** A window with its rank among all windows by end. */
export interface RankedWindow {
  readonly window: GroupWindow
  readonly rank: number
}

/** A pool of windows that gives the open one that ends first. Callers ask at rising times. */
export class WindowPool {
  private readonly windows: readonly RankedWindow[]
  private readonly tolerance: number
  private entered = 0
  /** A binary heap, by rank, of the windows that have begun. */
  private readonly begun: RankedWindow[] = []

  /** Expects windows sorted by start. A spot may air some seconds outside of its window. */
  constructor(windows: readonly RankedWindow[], tolerance: number) {
    this.windows = windows
    this.tolerance = tolerance
  }

  /** Returns the free window that contains a time, start included and end excluded, and ends first. */
  endingFirst(at: LocalTime): RankedWindow | undefined {
    for (; this.entered < this.windows.length; this.entered += 1) {
      const next = this.windows[this.entered] as RankedWindow
      if (next.window.from - this.tolerance > at) break
      this.push(next)
    }
    for (;;) {
      const [first] = this.begun
      if (first === undefined || (first.window.to + this.tolerance > at && isFree(first.window.group))) return first
      this.removeFirst()
    }
  }

  private push(entry: RankedWindow): void {
    const heap = this.begun
    let at = heap.push(entry) - 1
    while (at > 0) {
      const parent = (at - 1) >> 1
      if ((heap[parent] as RankedWindow).rank <= entry.rank) break
      heap[at] = heap[parent] as RankedWindow
      at = parent
    }
    heap[at] = entry
  }

  private removeFirst(): void {
    const heap = this.begun
    const last = heap.pop() as RankedWindow
    if (heap.length === 0) return
    let at = 0
    for (;;) {
      const left = 2 * at + 1
      if (left >= heap.length) break
      const right = left + 1
      const child = right < heap.length && (heap[right] as RankedWindow).rank < (heap[left] as RankedWindow).rank ? right : left
      if ((heap[child] as RankedWindow).rank >= last.rank) break
      heap[at] = heap[child] as RankedWindow
      at = child
    }
    heap[at] = last
  }
}
