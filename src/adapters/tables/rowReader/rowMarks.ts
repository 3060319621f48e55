/** A number for each of some rows of a sheet, 0 for all others. A million rows take 2 MB. */
export class RowMarks {
  #marks = new Uint16Array(FIRST_ROWS)

  set(row: number, mark: number): void {
    if (row >= this.#marks.length) {
      const larger = new Uint16Array(Math.max(row + 1, this.#marks.length * 2))
      larger.set(this.#marks)
      this.#marks = larger
    }
    this.#marks[row] = mark
  }

  of(row: number): number {
    return this.#marks[row] ?? 0
  }
}

const FIRST_ROWS = 1_024
