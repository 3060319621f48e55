/** The file cannot be read; the message is a clause shown to its sender. `row` is the row at which reading failed, if known. */
export class Unreadable extends Error {
  override name = 'Unreadable'
  readonly row: number | undefined

  constructor(message: string, row?: number) {
    super(message)
    this.row = row
  }
}
