/** The drop cannot be sent or its result cannot be read; the message is one sentence that says why. */
export class DropFault extends Error {
  override name = 'DropFault'
  /** Whether it was the folder or an option, the marketplace, or the way there. */
  readonly of: 'caller' | 'marketplace' | 'connection'

  constructor(message: string, of: DropFault['of'] = 'caller') {
    super(message)
    this.of = of
  }
}
