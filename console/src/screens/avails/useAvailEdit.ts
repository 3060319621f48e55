import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { Fault } from '../../api/fault.ts'
import { type Avail, type Product, type PublishReply, publish } from '../../api/queries/publishing.ts'
import { type AvailDraft, availOf, isSame } from './availDrafts.ts'

type Outcome = { readonly reply: PublishReply } | { readonly theirs: Avail | null }

/** Publishes one avail, unless the published one has changed since the editor saw it. */
export function useAvailEdit(product: Product, start: string, seen: Avail | undefined, onSaved: () => void) {
  const queries = useQueryClient()
  const [theirs, setTheirs] = useState<Avail>()
  const accepted = useRef<object | undefined>(undefined)
  const saving = useMutation({
    mutationFn: async (draft: AvailDraft): Promise<Outcome> => {
      const body = { avails: [availOf(product, start, theirs ?? seen, draft)] }
      const tried = await publish('avails', body, { dryRun: true })
      if (tried.errors.length > 0) return { reply: tried }
      const before = tried.effect?.changes[0]?.before as Avail | null | undefined
      const known = accepted.current ?? seen
      if (before !== undefined && !isSame(before, known)) return { theirs: before }
      const reply = await publish('avails', body, { basis: tried.basis }).catch(unlessStale)
      if (reply !== undefined) return { reply }
      const again = await publish('avails', body, { dryRun: true })
      return { theirs: (again.effect?.changes[0]?.before ?? null) as Avail | null }
    },
    onSuccess: (outcome) => {
      if ('theirs' in outcome) {
        accepted.current = outcome.theirs ?? undefined
        setTheirs(outcome.theirs ?? undefined)
        return
      }
      if (outcome.reply.errors.length > 0) return
      accepted.current = undefined
      setTheirs(undefined)
      return queries.invalidateQueries({ queryKey: ['published'] }).then(onSaved)
    },
  })
  const errors = saving.data !== undefined && 'reply' in saving.data ? saving.data.reply.errors : []
  const isOf = (field: string) => (name: string) => field === name || field.startsWith(`${name}.`)
  return {
    save: (draft: AvailDraft) => saving.mutate(draft),
    isSaving: saving.isPending,
    isSaved: saving.isSuccess && errors.length === 0 && theirs === undefined,
    /** The avail that somebody else has published since the editor looked. */
    theirs,
    error: saving.error,
    faultOf: (name: string) => errors.find(({ field = '' }) => isOf(field)(name))?.message,
    otherFault: errors.find(({ field = '' }) => !['sellout_level', 'spots', 'units'].some(isOf(field)))?.message,
  }
}

/** Returns undefined if somebody else published between the check and the publish; rethrows any other error. */
function unlessStale(error: unknown): undefined {
  if (error instanceof Fault && error.code === 'CONFLICT' && error.details.field === 'If-Match') return undefined
  throw error
}
