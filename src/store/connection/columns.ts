/** The columns of rows that one statement writes, each with its type. */
export type Columns = Readonly<Record<string, string>>

/** Returns the names of columns, in their order. */
export function namesOf<C extends Columns>(columns: C): (keyof C & string)[] {
  return Object.keys(columns)
}

/**
 * The type of a column of JSON texts, as `JSON.stringify` makes them. They are sent as one text: in an array the driver would escape each
 * of their quotes, which takes longer than all other columns of an order.
 */
export const JSON_TEXT = 'json text'

/** Separates JSON texts. Within a JSON text the character is always escaped. */
const SEPARATOR = '\u001f'

/** Returns an array per column, named after its parameter, as `unnest` takes them: `:product_id::text[], :week::text[]`. */
export function arraysOf(columns: Columns): string {
  return Object.entries(columns)
    .map(([name, type]) =>
      type === JSON_TEXT ? `string_to_array(:${name}::text, chr(${SEPARATOR.charCodeAt(0)}))` : `:${name}::${type}[]`,
    )
    .join(', ')
}

/** Converts rows to the values of these parameters. */
export function valuesOf<C extends Columns>(columns: C, rows: readonly Readonly<Record<keyof C, unknown>>[]): Record<keyof C, unknown> {
  const sent = (name: keyof C & string) => {
    const values = rows.map((row) => row[name])
    return columns[name] === JSON_TEXT ? values.join(SEPARATOR) : values
  }
  return Object.fromEntries(namesOf(columns).map((name) => [name, sent(name)])) as Record<keyof C, unknown>
}
