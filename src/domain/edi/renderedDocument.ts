import type { EdiDelivery } from '../../contract/agreement.ts'
import type { OrderState } from '../order/state.ts'
import type { EdiMessage, EdiTerms, EdiWarning } from './buildScx.ts'
import type { OrderDescriptors } from './describeOrder.ts'
import type { MailFields } from './mailFields.ts'

/** What an agreement says of the documents of its orders, and of the forms in which they go. */
export interface DocumentTerms extends EdiTerms, Pick<EdiDelivery, 'formats'> {}

/** All that an order's document and its mail are made of. */
export interface DocumentSource {
  readonly order: OrderState
  readonly message: EdiMessage
  readonly terms: DocumentTerms
  readonly descriptors: OrderDescriptors
}

/** A document and the words of its mail, as they are from the first attempt on. */
export interface RenderedDocument extends Pick<MailFields, 'subject' | 'text' | 'headers'> {
  readonly scx: Uint8Array | null
  readonly csv: Uint8Array | null
  /** Of the document that `filename` names: SCX where the mail has it. */
  readonly sha256: string
  readonly filename: string
  readonly warnings: readonly EdiWarning[]
}
