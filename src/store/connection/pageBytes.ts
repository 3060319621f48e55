/** Bytes at which a page ends, even after few rows. A reader continues from its last row. */
export const PAGE_BYTES = 1024 * 1024

/**
 * The first rows of a statement, in an order, whose texts together have at most so many bytes; one row in any case. `found` is the number of
 * rows that there were. The size of a text is known without reading it.
 */
export function withinPage(rows: string, { text, order, bytes }: { text: string; order: string; bytes: string }): string {
  return `(select * from (
      select *, count(*) over () as found, sum(octet_length(${text})) over (order by ${order} rows unbounded preceding) as bytes_so_far
      from (${rows}) found
    ) measured where bytes_so_far <= ${bytes} or bytes_so_far = octet_length(${text}))`
}
