/** A document that is replaced whole, with the ETag that its replacement must name. */
export interface Versioned<Document> {
  readonly document: Document
  readonly version: string
}

export function versioned<Document>({ data, response }: { data: Document; response: Response }): Versioned<Document> {
  return { document: data, version: response.headers.get('ETag') ?? '' }
}
