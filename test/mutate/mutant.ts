/** One fault: the text of a place of a file, and the text that stands there instead. Places are offsets in the source. */
export interface Change {
  readonly kind: string
  readonly start: number
  readonly end: number
  readonly text: string
}

/** A change together with the expression or the statement around which the switch between both is put. */
export interface Mutant extends Change {
  readonly id: number
  readonly file: string
  readonly line: number
  /** The text that the fault changes. */
  readonly original: string
  readonly around: { readonly start: number; readonly end: number; readonly isStatement: boolean }
  /** Whether the place runs when its module loads: such a fault needs a process of its own. */
  readonly atLoad: boolean
  /** Whether the place is within a prepared statement, which is made again for each fault: no process needs to start anew to notice it. */
  readonly isRemade: boolean
}
