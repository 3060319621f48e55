import { FaultAlert } from './FaultAlert.tsx'

export interface ListFaultProps {
  readonly list: {
    readonly error: unknown
    readonly isFetchNextPageError: boolean
    readonly refetch: () => unknown
    readonly fetchNextPage: () => unknown
  }
  /** Whether no row of the list is shown. */
  readonly isEmpty: boolean
}

/** Says why a list, or its next page, could not be read. */
export function ListFault({ list: { error, isFetchNextPageError, refetch, fetchNextPage }, isEmpty }: ListFaultProps) {
  if (isFetchNextPageError) return <FaultAlert error={error} title="The rest of the list was not read" retry={() => void fetchNextPage()} />
  return <FaultAlert error={isEmpty ? error : null} retry={() => void refetch()} />
}
