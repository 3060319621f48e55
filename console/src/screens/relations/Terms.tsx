import type { Agreement, BuyerAgreement } from '../../api/queries/agreements.ts'
import { termsText } from './termsText.ts'

/** Lists the terms of an agreement. */
export function Terms({ agreement }: { agreement: Agreement | BuyerAgreement }) {
  return (
    <>
      <h2>{agreement.agreement_id}</h2>
      <dl>
        {termsText(agreement).map(([name, text]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </>
  )
}
