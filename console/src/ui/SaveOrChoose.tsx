import type { ReactNode } from 'react'
import { Differences, differencesOf } from './Differences.tsx'
import { FaultAlert } from './FaultAlert.tsx'
import type { Replacement } from './useReplacement.ts'

interface SaveOrChooseProps<Fields extends Readonly<Record<string, string>>> {
  what: string
  labels: Readonly<Record<keyof Fields, string>>
  editing: Replacement<Fields>
  /** The way to save. */
  children: ReactNode
}

/** The end of a form whose document is replaced whole: the way to save, or the choice when somebody else was faster. */
export function SaveOrChoose<Fields extends Readonly<Record<string, string>>>({
  what,
  labels,
  editing,
  children,
}: SaveOrChooseProps<Fields>) {
  const { before, theirs, mine } = editing
  return (
    <>
      <FaultAlert error={editing.error} title={`The ${what} stays as it is`} />
      {editing.isConflict ? (
        <Differences
          what={what}
          rows={differencesOf(labels, before, theirs, mine)}
          isSending={editing.isSaving}
          onMine={editing.saveMine}
          onTheirs={editing.takeTheirs}
        />
      ) : (
        children
      )}
    </>
  )
}
