/** A mapping of avails whose columns a seller's system names itself. */
export const A_MAPPING = {
  type: 'avails',
  headers: ['Product', 'Grain', 'Start', 'State', 'Left', 'Note'],
  columns: { product_id: 'Product', 'period.grain': 'Grain', 'period.start': 'Start', state: 'State', 'spots.available': 'Left' },
  values: { state: { Open: 'available', Sold: 'unavailable' } },
  skip: [{ column: 'Note', in: ['draft'] }],
}
