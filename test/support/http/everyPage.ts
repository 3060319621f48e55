/** Reads a list to its end and returns the bodies in order. `read` takes the text to append to the query: the cursor, at first nothing. */
export async function everyPage<Page extends { readonly next_cursor?: string | null }>(
  read: (cursor: string) => Promise<Page>,
): Promise<Page[]> {
  const pages: Page[] = []
  for (let cursor = ''; ; ) {
    const page = await read(cursor)
    pages.push(page)
    if (typeof page.next_cursor !== 'string') return pages
    cursor = `&cursor=${encodeURIComponent(page.next_cursor)}`
  }
}
