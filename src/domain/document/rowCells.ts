import type { ReadRegion } from './proof/index.ts'

/** The cells of the row that a line is read from, by their columns. */
export type CellsOf = (line: number) => ReadonlyMap<number, { readonly text: string; readonly at: string }> | undefined

/** Returns the cells of the row that a line is read from. */
export function cellsIn(regions: readonly ReadRegion[]): CellsOf {
  return (line) => {
    for (const { rows, lineOf } of regions) {
      const at = lineOf.indexOf(line)
      if (at >= 0) return rows[at]?.cells
    }
    return undefined
  }
}
