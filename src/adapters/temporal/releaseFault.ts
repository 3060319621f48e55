/** Why a release cannot be made the current one; the message is one sentence that says what to do. */
export class ReleaseFault extends Error {
  override name = 'ReleaseFault'
}
