import type { RowError } from './messages.ts'

/** The header, or the body of a json file, does not fit the type of the file. No entry is read. */
export class HeaderFault extends Error {
  override name = 'HeaderFault'
  readonly errors: readonly RowError[]

  constructor(errors: readonly RowError[]) {
    super('the header is not valid')
    this.errors = errors
  }
}
