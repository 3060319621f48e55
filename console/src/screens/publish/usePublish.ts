import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Fault } from '../../api/fault.ts'
import { type Effect, type PublishReply, publish } from '../../api/queries/publishing.ts'
import type { EditRow } from '../../ui/EditGrid.tsx'
import { type Check, checkDraft } from './check.ts'
import { isFilled, type PublishDraft } from './draft.ts'
import type { Kind } from './kinds.ts'

const TYPING_MS = 500
const REPEATS = 3

/** A publish in progress. If its reply is lost, the same bytes are sent again. */
interface Sending {
  readonly body: object
  readonly rows: readonly EditRow[]
  readonly basis: string | undefined
}

export interface Published {
  readonly reply: PublishReply
  readonly head: EditRow
}

/** Checks a draft whenever the user pauses, and publishes the rows without faults. */
export function usePublish(kind: Kind, draft: PublishDraft, onPublished: (rows: readonly EditRow[]) => void) {
  const queries = useQueryClient()
  const [settled] = useDebouncedValue(draft, TYPING_MS)
  const [seen, setSeen] = useState<Effect>()
  const [published, setPublished] = useState<Published>()
  const isReady = settled.rows.some(isFilled) && kind.head.every(({ id, required }) => !required || settled.head[id]?.trim())
  const check = useQuery({
    queryKey: ['publish', kind.id, settled.edit] as const,
    queryFn: ({ signal }) => checkDraft(kind, settled, signal),
    enabled: isReady,
    placeholderData: keepPreviousData,
    structuralSharing: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  const sending = useMutation({
    networkMode: 'always',
    mutationFn: ({ body, basis }: Sending) => publish(kind.id, body, { basis }),
    retry: (failures, error) => isLost(error) && failures < REPEATS,
    retryDelay: (attempt) => 1_000 * 2 ** attempt,
    onSuccess: (reply, { rows }) => {
      const refused = new Set(reply.errors.map(({ index }) => rows[index]))
      setPublished({ reply, head: draft.head })
      setSeen(undefined)
      onPublished(rows.filter((row) => !refused.has(row)))
      return queries.invalidateQueries({ queryKey: ['published'] })
    },
    onError: (error) => {
      if (!isStale(error)) return
      setSeen(check.data?.reply?.effect)
      return check.refetch().then(() => undefined)
    },
  })
  const result: Check | undefined = isReady ? check.data : undefined
  const isFresh = result?.edit === draft.edit && !check.isFetching && check.error === null
  return {
    result,
    isFresh,
    isChecking: isReady && (check.isFetching || settled.edit !== draft.edit),
    checkError: isReady ? check.error : null,
    recheck: () => void check.refetch(),
    /** The effect that the user saw before the published data changed. */
    seen,
    published,
    forgetPublished: () => setPublished(undefined),
    isSending: sending.isPending,
    error: isStale(sending.error) ? null : sending.error,
    isLost: isLost(sending.error),
    send: () => {
      if (!isFresh || result.good.length === 0 || sending.isPending) return
      sending.mutate({ body: kind.bodyOf(draft.head, result.good), rows: result.good, basis: result.reply?.basis })
    },
    sendAgain: () => sending.variables && sending.mutate(sending.variables),
  }
}

export type Publishing = ReturnType<typeof usePublish>

/** Whether the publish may have happened although it seems to have failed. */
function isLost(error: unknown): boolean {
  return error instanceof Fault && (error.status === 0 || error.status >= 500)
}

function isStale(error: unknown): boolean {
  return error instanceof Fault && error.code === 'CONFLICT' && error.details.field === 'If-Match'
}
