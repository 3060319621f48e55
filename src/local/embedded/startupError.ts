/** A cause outside our code keeps the marketplace from starting; the message is one sentence that says what to do. */
export class StartupError extends Error {
  override name = 'StartupError'
}
