/** Thrown if the database has the schema of another version of this service; the message is one sentence. */
export class SchemaError extends Error {
  override name = 'SchemaError'
}
