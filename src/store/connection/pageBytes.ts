/** The bytes at which a page ends, even after few rows. A reader continues from its last row. */
export const PAGE_BYTES = 1024 * 1024

/**
 * SQL: the first rows of a statement, in an order, whose texts together have at most so many bytes, but at least one row. `found` is the
 * number of rows that the statement found. The size of a text is known without reading it.
 */
export function withinPage(rows: string, { text, order, bytes }: { text: string; order: string; bytes: string }): string {
  return `(select *
    from (${measured(rows, { text, order, also: ', count(*) over () as found' })}) measured where ${withinBytes(text, bytes)})`
}

/** SQL: the rows of a statement with `bytes_so_far`, the total size of the texts up to each row. */
export function measured(rows: string, { text, order, also = '' }: { text: string; order: string; also?: string }): string {
  return `select *, sum(octet_length(${text})) over (order by ${order} rows unbounded preceding) as bytes_so_far${also} from (${rows}) found`
}

/** SQL: true if a measured row belongs to a page of so many bytes. */
export function withinBytes(text: string, bytes: string): string {
  return `(bytes_so_far <= ${bytes} or bytes_so_far = octet_length(${text}))`
}
