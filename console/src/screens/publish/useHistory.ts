import { useCallback, useRef } from 'react'
import { useSession } from '../../api/session.ts'
import { useLargeDraft } from '../../ui/drafts.ts'
import type { EditRow } from '../../ui/EditGrid.tsx'
import { EMPTY_DRAFT, isFilled, type PublishDraft, withRows } from './draft.ts'
import type { Kind } from './kinds.ts'

const STEPS_BACK = 50

/** Holds the draft of a sheet and lets each change be undone. `suggested` fills in the values that all rows share. */
export function useHistory(kind: Kind, suggested: (head: EditRow) => EditRow) {
  const { entity, side } = useSession()
  const [draft, setDraft] = useLargeDraft<PublishDraft>(`${side}:${entity}`, `publish:${kind.id}`, EMPTY_DRAFT)
  const history = useRef<PublishDraft[]>([])
  const change = useCallback(
    (next: PublishDraft) => {
      history.current = [...history.current.slice(-STEPS_BACK), draft]
      setDraft({ ...next, head: suggested(next.head) })
    },
    [draft, setDraft, suggested],
  )
  const undo = () => {
    const before = history.current.pop()
    if (before !== undefined) setDraft({ ...before, edit: draft.edit + 1 })
  }
  /** Removes the published rows; undo cannot bring them back. */
  const drop = (sent: readonly EditRow[]) => {
    const gone = new Set(sent)
    history.current = []
    setDraft((before) => {
      const { commit: _, ...head } = before.head
      const left = before.rows.filter((row) => isFilled(row) && !gone.has(row))
      return { ...withRows(before, left), head: left.length > 0 ? suggested(head) : head }
    })
  }
  return { draft, change, undo, drop }
}
