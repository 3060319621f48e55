/** Reads a list to its end. `read` takes the cursor as it is appended to a query: nothing at first. Returns the bodies in their order. */
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
