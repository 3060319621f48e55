import { type InfiniteData, type QueryKey, type UseInfiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'

/** The parameter of the page after this one, or undefined after the last. */
export function nextCursor({ next_cursor }: { next_cursor?: string | null }): string | undefined {
  return next_cursor ?? undefined
}

/** The rows of a list that the API gives page by page; `more` reads the next page. */
export function usePages<Page, Row, Key extends QueryKey>(
  options: UseInfiniteQueryOptions<Page, Error, InfiniteData<Page>, Key, string | undefined>,
  rowsOf: (page: Page) => readonly Row[],
) {
  const list = useInfiniteQuery(options)
  const { data, hasNextPage, isFetchingNextPage, fetchNextPage } = list
  const rows = useMemo(() => (data?.pages ?? []).flatMap(rowsOf), [data, rowsOf])
  const more = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage()
  }, [hasNextPage, isFetchingNextPage, fetchNextPage])
  return { rows, list, more }
}
