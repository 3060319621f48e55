/** Columns of rows that one statement writes, each with its type. */
export type Columns = Readonly<Record<string, string>>

/** The names of columns, in their order. */
export function namesOf<C extends Columns>(columns: C): (keyof C & string)[] {
  return Object.keys(columns)
}

/** An array parameter per column, named after it, as `unnest` takes them: `:product_id::text[], :week::text[]`. */
export function arraysOf(columns: Columns): string {
  return Object.entries(columns)
    .map(([name, type]) => `:${name}::${type}[]`)
    .join(', ')
}

/** Rows as the values of such parameters. */
export function valuesOf<C extends Columns>(columns: C, rows: readonly Readonly<Record<keyof C, unknown>>[]): Record<keyof C, unknown[]> {
  return Object.fromEntries(namesOf(columns).map((name) => [name, rows.map((row) => row[name])])) as Record<keyof C, unknown[]>
}
