/** The text of rows that one statement sends, in characters: little enough that it never fills the memory or blocks the process. */
export const BATCH_CHARACTERS = 1024 * 1024

/**
 * Yields rows in batches for one statement each: at most `max` rows, and about 1 MiB of text. A row that is larger by itself has a batch
 * of its own. Takes each row when its batch needs it, so that a generator never holds more than one batch.
 */
export function* batches<Row extends object>(rows: Iterable<Row>, max: number): Generator<Row[], void> {
  let batch: Row[] = []
  let characters = 0
  for (const row of rows) {
    const size = charactersOf(row)
    if (batch.length === max || (batch.length > 0 && characters + size > BATCH_CHARACTERS)) {
      yield batch
      batch = []
      characters = 0
    }
    batch.push(row)
    characters += size
  }
  if (batch.length > 0) yield batch
}

function charactersOf(row: object): number {
  let characters = 0
  for (const value of Object.values(row)) characters += typeof value === 'string' ? value.length : OTHER
  return characters
}

/** Yields ids in such batches. */
export function* batchesOfIds(ids: Iterable<string>): Generator<string[], void> {
  for (const rows of batches(rowsOf(ids), IDS)) yield rows.map(({ id }) => id)
}

/** Ids per statement. */
const IDS = 5_000

function* rowsOf(ids: Iterable<string>): Generator<{ id: string }> {
  for (const id of ids) yield { id }
}

/** Characters that a number, a boolean or null takes. */
const OTHER = 8
