/** Returns the key by which a buyer's orders of a product and month with a seller are found: a JSON array as text. */
export function monthKey(seller: string, buyer: string, productId: string, month: string): string {
  return JSON.stringify([seller, buyer, productId, month])
}

/** Returns the product and month of a key. */
export function monthOfKey(key: string): { product_id: string; month: string } {
  const [, , product_id = '', month = ''] = JSON.parse(key) as string[]
  return { product_id, month }
}
