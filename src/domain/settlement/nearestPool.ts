import { OpenEntries } from './openEntries.ts'
import { isFree } from './spotGroups.ts'
import type { SpotGroup } from './spotsAndClaims.ts'

/** A period of time, or one date, in which a group may air. */
export interface Stretch {
  readonly group: SpotGroup
  /** The position of the group among all groups. */
  readonly rank: number
  readonly from: number
  readonly to: number
}

/** A pool of stretches that gives the nearest free one; of two equally near ones, that of the group with the lower rank. */
export class NearestPool {
  private readonly ahead: OpenEntries<Stretch>
  private readonly behind: OpenEntries<Stretch>

  constructor(stretches: readonly Stretch[]) {
    const isOpen = ({ group }: Stretch) => isFree(group)
    const byStart = [...stretches].sort((a, b) => a.from - b.from || a.rank - b.rank)
    const byEnd = [...stretches].sort((a, b) => a.to - b.to || b.rank - a.rank)
    this.ahead = new OpenEntries(byStart, isOpen, ({ from }) => from)
    this.behind = new OpenEntries(byEnd, isOpen, ({ to }) => to)
  }

  nearest(at: number): SpotGroup | undefined {
    const next = this.ahead.firstFrom(at)
    const last = this.behind.lastUpTo(at)
    if (next === undefined || last === undefined) return (next ?? last)?.group
    return (next.from - at - (at - last.to) || next.rank - last.rank) < 0 ? next.group : last.group
  }
}
