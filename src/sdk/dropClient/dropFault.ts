/** The drop cannot be sent or its result cannot be read; the message is one sentence that says why. */
export class DropFault extends Error {
  override name = 'DropFault'
}
