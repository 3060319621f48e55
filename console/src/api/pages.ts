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

/** Reads the next page, if there is one. A page that failed is read again only when somebody asks for it. */
export function useMore({ hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage }: Paged): () => void {
  return useCallback(() => {
    if (hasNextPage && !isFetchingNextPage && !isFetchNextPageError) void fetchNextPage()
  }, [hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage])
}

/** Has every page of a list read. */
export function useEveryPage(list: Paged): void {
  const more = useMore(list)
  useEffect(more, [more])
}

type Listed<Page, Key extends QueryKey> = Omit<FetchInfiniteQueryOptions<Page, Error, Page, Key, string | undefined>, 'pages'> & {
  readonly queryKey: Key
  readonly getNextPageParam: GetNextPageParamFunction<string | undefined, Page>
}

/** The rows of a list as it is now, read from its first page to its last. */
export async function readToEnd<Page, Row, Key extends QueryKey>(
  queries: QueryClient,
  options: Listed<Page, Key>,
  rowsOf: (page: Page) => readonly Row[],
): Promise<Row[]> {
  const { pages } = await queries.fetchInfiniteQuery({
    ...options,
    // Its own key: a read that is under way under the list's key may end earlier.
    queryKey: [...options.queryKey, 'whole'] as unknown as Key,
    pages: Number.POSITIVE_INFINITY,
    staleTime: 0,
    gcTime: 0,
  })
  return pages.flatMap(rowsOf)
}
