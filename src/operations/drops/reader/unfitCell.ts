/** A typed cell does not fit its column. The message is a predicate, such as `has the date 2030-06-05; …`. */
export class UnfitCell extends Error {
  override name = 'UnfitCell'
  readonly value: string | number | boolean
  /** The member inside of a nested column. */
  readonly inner: string

  constructor(message: string, value: string | number | boolean, inner = '') {
    super(message)
    this.value = value
    this.inner = inner
  }
}
