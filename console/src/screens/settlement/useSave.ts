import { useCallback, useEffect, useRef } from 'react'
import { csvText, download } from '../../ui/csv.ts'

type Row = readonly (string | number | null | undefined)[]

/** Saves a whole list as CSV, and reads the rest of the list first if needed. */
export type Save = () => Promise<void>

export interface Saved {
  readonly name: string
  readonly head: readonly string[]
  readonly isEmpty: boolean
  readonly read: () => readonly Row[] | Promise<readonly Row[]>
}

/** Lets a list hand its CSV save function to its parent; an empty list hands up undefined, since there is nothing to save. */
export function useSave(onSave: (save: Save | undefined) => void, saved: Saved): void {
  const latest = useRef(saved)
  useEffect(() => {
    latest.current = saved
  })
  const save = useCallback(async () => {
    const { name, head, read } = latest.current
    download(name, csvText(head, await read()))
  }, [])
  useEffect(() => {
    onSave(saved.isEmpty ? undefined : save)
    return () => onSave(undefined)
  }, [onSave, save, saved.isEmpty])
}
