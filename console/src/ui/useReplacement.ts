import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Fault } from '../api/fault.ts'
import type { Versioned } from '../api/versioned.ts'
import { merged } from './Differences.tsx'

type Texts = Readonly<Record<string, string>>

interface ReplacementOptions<Document, Fields extends Texts> {
  /** The current document, as last read. */
  readonly now: Versioned<Document>
  readonly textsOf: (document: Document) => Fields
  readonly put: (seen: Versioned<Document>, texts: Fields) => Promise<Versioned<Document>>
  readonly reread: () => Promise<unknown>
  readonly onSaved?: () => void
}

/** Edits a document that is replaced whole; it is saved only if it still has the version that its editor saw. */
export function useReplacement<Document, Fields extends Texts>(options: ReplacementOptions<Document, Fields>) {
  const { now, textsOf, put, reread, onSaved } = options
  const [{ seen, mine }, edit] = useState(() => ({ seen: now, mine: textsOf(now.document) }))
  const saving = useMutation({
    mutationFn: (what: { seen: Versioned<Document>; texts: Fields }) => put(what.seen, what.texts),
    onSuccess: async (saved) => {
      edit({ seen: saved, mine: textsOf(saved.document) })
      await reread()
      onSaved?.()
    },
    onError: (error) => (isConflict(error) ? reread() : undefined),
  })
  const [before, theirs] = [textsOf(seen.document), textsOf(now.document)]
  return {
    before,
    theirs,
    mine,
    isChanged: Object.keys(mine).some((name) => mine[name] !== before[name]),
    /** Whether somebody else has saved the document first. */
    isConflict: isConflict(saving.error),
    error: isConflict(saving.error) ? null : saving.error,
    isSaving: saving.isPending,
    set: (change: Partial<Fields>) => edit({ seen, mine: { ...mine, ...change } }),
    save: () => saving.mutate({ seen, texts: mine }),
    takeTheirs: () => {
      edit({ seen: now, mine: theirs })
      saving.reset()
    },
    saveMine: () => {
      const texts = merged(before, theirs, mine)
      edit({ seen: now, mine: texts })
      saving.mutate({ seen: now, texts })
    },
  }
}

export type Replacement<Fields extends Texts> = ReturnType<typeof useReplacement<unknown, Fields>>

function isConflict(error: unknown): boolean {
  return error instanceof Fault && error.code === 'CONFLICT'
}
