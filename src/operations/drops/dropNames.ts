/** Returns the name of a drop's object in the store. */
export function objectOf(seller: string, dropId: string, filename: string): string {
  return `${folderOf(seller, dropId)}${filename}`
}

/** Returns the prefix of a drop's objects. */
export function folderOf(seller: string, dropId: string): string {
  return `${seller}/${dropId}/`
}

/** Returns the path at which the result of a drop is read (contract, File drops: results_uri). */
export function resultsUri(dropId: string): string {
  return `/v1/me/files/${dropId}`
}
