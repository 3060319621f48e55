/** A page of a list, and the cursor of the next one; null on the last. */
export interface Page<Item> {
  items: readonly Item[]
  next_cursor: string | null
}

/** Yields the items of every page of a list. */
export async function* itemsOf<Item>(read: (cursor: { cursor?: string }) => Promise<Page<Item>>): AsyncGenerator<Item> {
  for (let cursor: { cursor?: string } | undefined = {}; cursor !== undefined; ) {
    const page: Page<Item> = await read(cursor)
    yield* page.items
    cursor = page.next_cursor === null ? undefined : { cursor: page.next_cursor }
  }
}
