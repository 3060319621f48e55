import { useEffect } from 'react'
import { csvText, download } from '../../ui/csv.ts'

export interface Saved {
  readonly name: string
  readonly head: readonly string[]
  readonly rows: readonly (readonly (string | number | null | undefined)[])[]
}

/** What shows a list hands up what saves it as CSV: exactly the rows that are shown. Without rows there is nothing to save. */
export function useSave(onSave: (save: (() => void) | undefined) => void, { name, head, rows }: Saved): void {
  const text = rows.length === 0 ? undefined : csvText(head, rows)
  useEffect(() => {
    onSave(text === undefined ? undefined : () => () => download(name, text))
    return () => onSave(undefined)
  }, [onSave, name, text])
}
