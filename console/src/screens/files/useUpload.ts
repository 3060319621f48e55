import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { serverNow } from '../../api/clock.ts'
import { datedName } from '../../api/ids.ts'
import { type DropFileType, putDropFile, registerDrop } from '../../api/queries/drops.ts'
import { fittingName, MANIFEST_FILE, manifestOf, typeOf } from './fileTypes.ts'

export interface ChosenFile {
  readonly file: File
  readonly type: DropFileType
  /** The name on this computer, if the drop does not take it. */
  readonly nameHere?: string
  /** Set once the file has arrived: the hash of the stored bytes. */
  readonly sha256?: string
}

/** Sends the files of a drop one after the other and then registers them. A retry sends only the files that are missing. */
export function useUpload(onRegistered: (dropId: string) => void) {
  const queries = useQueryClient()
  const [dropId, setDropId] = useState(() => datedName('drop', serverNow()))
  const [files, setFiles] = useState<readonly ChosenFile[]>([])
  const [start, setStart] = useState('')
  const [end, setEnd] = useState('')
  const change = (name: string, next: Partial<ChosenFile>) =>
    setFiles((before) => before.map((one) => (one.file.name === name ? { ...one, ...next } : one)))
  const sending = useMutation({
    mutationFn: async () => {
      const sent = []
      for (const { file, type, sha256 } of inOrder(files)) {
        const known = sha256 ?? (await putDropFile(dropId, file)).sha256
        change(file.name, { sha256: known })
        sent.push({ filename: file.name, type, sha256: known })
      }
      if (!sent.some(({ filename }) => filename === MANIFEST_FILE)) await registerDrop(manifestOf(dropId, sent, start, end))
    },
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['drops'] })
      onRegistered(dropId)
    },
  })
  return {
    dropId,
    files,
    startDate: start,
    endDate: end,
    setStart,
    setEnd,
    setType: (name: string, type: DropFileType) => change(name, { type }),
    remove: (name: string) => setFiles((before) => before.filter(({ file }) => file.name !== name)),
    /** A different drop has none of the files yet, so all of them are sent again. */
    setDropId: (id: string) => {
      setDropId(id)
      setFiles((before) => before.map(({ sha256: _, ...file }) => file))
    },
    add: (chosen: readonly File[]) => {
      const fitting = chosen.map((file) => ({ file: named(file), ...(fittingName(file.name) !== file.name && { nameHere: file.name }) }))
      const added = fitting.map(({ file }) => file)
      const manifest = added.find(({ name }) => name === MANIFEST_FILE)
      void manifest?.text().then((text) => setDropId((before) => namedIn(text) ?? before))
      const names = new Set(added.map(({ name }) => name))
      setFiles((before) => [
        ...before.filter(({ file }) => !names.has(file.name)),
        ...fitting.map((one) => ({ ...one, type: typeOf(one.file.name) })),
      ])
    },
    start: () => {
      if (!sending.isPending) sending.mutate()
    },
    isSending: sending.isPending,
    error: sending.error,
  }
}

export type Upload = ReturnType<typeof useUpload>

/** Returns the file under a name that a drop takes. */
function named(file: File): File {
  const name = fittingName(file.name)
  return name === file.name ? file : new File([file], name, { type: file.type })
}

/** Returns the id of the drop that a manifest names. */
function namedIn(manifest: string): string | undefined {
  try {
    const { drop_id } = JSON.parse(manifest) as { drop_id?: unknown }
    return typeof drop_id === 'string' ? drop_id : undefined
  } catch {
    return undefined
  }
}

/** Sends manifest.json last, since it registers the files that are there. */
function inOrder(files: readonly ChosenFile[]): ChosenFile[] {
  return files.toSorted((a, b) => Number(a.file.name === MANIFEST_FILE) - Number(b.file.name === MANIFEST_FILE))
}
