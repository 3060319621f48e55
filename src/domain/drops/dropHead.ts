import type { DropStage } from '../../contract/vocabulary/drops.ts'

/** The position of a drop's run, for its workflow and for operators. */
export interface DropHead {
  readonly seller: string
  readonly drop_id: string
  readonly run_no: number
  readonly stage: DropStage
  /** The drop of the same seller that must end first; null if this drop may run. */
  readonly waits_for: string | null
  readonly registered_at: string
  /** The index of the file in the manifest, and the row up to which the stage has written. */
  readonly cursor_file: number
  readonly cursor_row: number
  readonly rows_written: number
  readonly rows_rejected: number
  readonly stuck_reason: string | null
}
