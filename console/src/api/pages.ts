import {
  type FetchInfiniteQueryOptions,
  type GetNextPageParamFunction,
  type InfiniteData,
  type QueryClient,
  type QueryKey,
  type UseInfiniteQueryOptions,
  useInfiniteQuery,
} from '@tanstack/react-query'
import { useCallback, useEffect, useMemo } from 'react'

/** Returns the cursor of the next page, or undefined after the last page. */
export function nextCursor({ next_cursor }: { next_cursor?: string | null }): string | undefined {
  return next_cursor ?? undefined
}

/** Returns the rows of a paged list; `more` reads the next page. */
export function usePages<Page, Row, Key extends QueryKey>(
  options: UseInfiniteQueryOptions<Page, Error, InfiniteData<Page>, Key, string | undefined>,
  rowsOf: (page: Page) => readonly Row[],
) {
  const list = useInfiniteQuery(options)
  const { data } = list
  const rows = useMemo(() => (data?.pages ?? []).flatMap(rowsOf), [data, rowsOf])
  return { rows, list, more: useMore(list) }
}

interface Paged {
  readonly hasNextPage: boolean
  readonly isFetchingNextPage: boolean
  readonly isFetchNextPageError: boolean
  readonly fetchNextPage: () => unknown
}

/** Returns a function that reads the next page, if there is one. A page that failed is read again only when the user asks for it. */
export function useMore({ hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage }: Paged): () => void {
  return useCallback(() => {
    if (hasNextPage && !isFetchingNextPage && !isFetchNextPageError) void fetchNextPage()
  }, [hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage])
}

/** Reads every page of a list. */
export function useEveryPage(list: Paged): void {
  const more = useMore(list)
  useEffect(more, [more])
}

type Listed<Page, Key extends QueryKey> = Omit<FetchInfiniteQueryOptions<Page, Error, Page, Key, string | undefined>, 'pages'> & {
  readonly queryKey: Key
  readonly getNextPageParam: GetNextPageParamFunction<string | undefined, Page>
}

/** Reads the current rows of a list, from its first page to its last. */
export async function readToEnd<Page, Row, Key extends QueryKey>(
  queries: QueryClient,
  options: Listed<Page, Key>,
  rowsOf: (page: Page) => readonly Row[],
): Promise<Row[]> {
  const { pages } = await queries.fetchInfiniteQuery({
    ...options,
    // Uses its own key, since a read in progress under the list's key may stop before the last page.
    queryKey: [...options.queryKey, 'whole'] as unknown as Key,
    pages: Number.POSITIVE_INFINITY,
    staleTime: 0,
    gcTime: 0,
  })
  return pages.flatMap(rowsOf)
}
