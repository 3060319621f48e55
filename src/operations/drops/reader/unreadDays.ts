import { type Note, type OtherSheet, shownText, type TableRow } from '../../../adapters/tables/rowReader/table.ts'
import type { Mapping } from '../../../contract/mapping.ts'
import { headingKey } from '../../../contract/vocabulary/mappings.ts'

/** The most sheets and days that a note names. */
const NAMED = 5

/**
 * Finds the days of a log that stand in other sheets of its workbook alone, such as that of a day which is not in the sheet of the week yet. They are not read,
 * since nobody can tell a sheet of a day from one of drafts: the sender is told.
 */
export class UnreadDays {
  readonly #heading: string | undefined
  readonly #place: number
  readonly #days = new Set<string>()
  readonly #unread = new Map<string, Set<string>>()

  constructor({ type, columns }: Mapping, header: readonly string[]) {
    this.#heading = type === 'delivery_posts' ? columns.air_date : undefined
    this.#place = this.#placeIn(header)
  }

  /** Takes up rows of the sheet that is read. */
  read(rows: readonly TableRow[]): void {
    for (const { cells } of rows) this.#days.add(shownText(cells[this.#place]).trim())
  }

  /** Looks through the other sheets. One that cannot be read to its end has what came before. */
  async compare(others: AsyncIterable<OtherSheet>): Promise<void> {
    if (this.#heading === undefined) return
    for await (const { name, header, rows } of others) {
      const place = this.#placeIn(header)
      const days = new Set<string>()
      try {
        for await (const batch of rows) {
          for (const { cells, fault } of batch) {
            const day = shownText(cells[place]).trim()
            if (fault === undefined && day !== '' && !this.#days.has(day)) days.add(day)
          }
        }
      } catch {
        // Its rows are not read in any case.
      }
      if (days.size > 0) this.#unread.set(name, days)
    }
  }

  notes(): Note[] {
    if (this.#unread.size === 0) return []
    const sheets = [...this.#unread].slice(0, NAMED).map(([name, days]) => `${name} (${[...days].slice(0, NAMED).join(', ')})`)
    const message = `Other sheets have rows of days that the one which was read lacks: ${sheets.join('; ')}. They were not read: send them as a file of their own.`
    return [{ code: 'UNREAD_DAYS', message }]
  }

  #placeIn(header: readonly string[]): number {
    const sought = headingKey(this.#heading ?? '')
    return header.findIndex((heading) => headingKey(heading) === sought)
  }
}
