import type { EdiDelivery } from '../../contract/agreement.ts'
import type { Makegood } from '../../contract/makegood.ts'
import type { OrderState } from '../order/state.ts'
import type { EdiMessage, EdiTerms, EdiWarning } from './buildScx.ts'
import type { OrderDescriptors } from './describeOrder.ts'
import type { MailFields } from './mailFields.ts'

/** The terms of an agreement for the documents of its orders and for their formats. */
export interface DocumentTerms extends EdiTerms, Pick<EdiDelivery, 'formats'> {}

/** The inputs of an order's document and its mail. */
export interface DocumentSource {
  readonly order: OrderState
  readonly message: EdiMessage
  readonly terms: DocumentTerms
  readonly descriptors: OrderDescriptors
  /** What the mail tells of instead of the order. */
  readonly makegood?: Makegood | undefined
}

/** A document and the text of its mail, which stay the same from the first attempt on. */
export interface RenderedDocument extends Pick<MailFields, 'subject' | 'text' | 'headers'> {
  readonly scx: Uint8Array | null
  readonly csv: Uint8Array | null
  /** The hash of the document that `filename` names: SCX if the mail has it. */
  readonly sha256: string
  readonly filename: string
  readonly warnings: readonly EdiWarning[]
}
