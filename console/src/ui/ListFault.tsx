import { FaultAlert } from './FaultAlert.tsx'

export interface ListFaultProps {
  readonly list: {
    readonly error: unknown
    readonly isFetchNextPageError: boolean
    readonly refetch: () => unknown
    readonly fetchNextPage: () => unknown
  }
  /** Whether nothing of the list is shown. */
  readonly isEmpty: boolean
}

/** Why a list, or the next page of it, was not read. */
export function ListFault({ list: { error, isFetchNextPageError, refetch, fetchNextPage }, isEmpty }: ListFaultProps) {
  if (isFetchNextPageError) return <FaultAlert error={error} title="The rest of the list was not read" retry={() => void fetchNextPage()} />
  return <FaultAlert error={isEmpty ? error : null} retry={() => void refetch()} />
}
