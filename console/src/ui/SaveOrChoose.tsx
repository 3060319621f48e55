import type { ReactNode } from 'react'
import { Differences, differencesOf } from './Differences.tsx'
import { FaultAlert } from './FaultAlert.tsx'
import type { Replacement } from './useReplacement.ts'

interface SaveOrChooseProps<Fields extends Readonly<Record<string, string>>> {
  what: string
  labels: Readonly<Record<keyof Fields, string>>
  editing: Replacement<Fields>
  /** The controls that save. */
  children: ReactNode
}

/** Ends a form of a document that is replaced whole: with the save controls, or with a choice if somebody else saved first. */
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
