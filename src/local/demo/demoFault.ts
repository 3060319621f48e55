/** The demo cannot continue; the message is one sentence that says why. */
export class DemoFault extends Error {
  override name = 'DemoFault'
}
