import { useCallback, useEffect, useRef } from 'react'
import { csvText, download } from '../../ui/csv.ts'

type Row = readonly (string | number | null | undefined)[]

/** Saves a list as CSV: all of it, which may have to be read first. */
export type Save = () => Promise<void>

export interface Saved {
  readonly name: string
  readonly head: readonly string[]
  readonly isEmpty: boolean
  readonly read: () => readonly Row[] | Promise<readonly Row[]>
}

/** What shows a list hands up what saves it as CSV. Without rows there is nothing to save. */
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
