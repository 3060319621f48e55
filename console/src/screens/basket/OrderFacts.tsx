import { NativeSelect, Stack, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { usePages } from '../../api/pages.ts'
import { agreementList, type BuyerAgreement } from '../../api/queries/agreements.ts'
import { recentAdvertisers } from '../../api/queries/creates.ts'
import type { Basket } from '../../basket/basket.ts'
import type { FaultsAt } from '../../ui/fieldFaults.ts'
import { countText, moneyText } from '../../ui/Money.tsx'
import classes from './Basket.module.css'

interface OrderFactsProps {
  seller: string
  basket: Basket
  put: (next: Basket) => void
  faults: FaultsAt
  isLocked: boolean
}

/** Edits the order's advertiser and terms. */
export function OrderFacts({ seller, basket, put, faults, isLocked }: OrderFactsProps) {
  const { data: advertisers = [] } = useQuery(recentAdvertisers)
  const advertiser = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (advertiser.current?.value === '') advertiser.current.focus()
  }, [])
  const field = (name: 'advertiser' | 'campaign' | 'estimate' | 'external_order_id', pointer: string) => ({
    size: 'xs' as const,
    disabled: isLocked,
    value: basket[name],
    // An empty field shows no fault: the user sees that it is empty and may not have reached it yet.
    error: basket[name] === '' ? undefined : faults(pointer).join(' '),
    onChange: (event: { currentTarget: { value: string } }) => put({ ...basket, [name]: event.currentTarget.value }),
  })
  return (
    <aside className={classes.aside} aria-label="Order">
      <Stack gap="xs">
        <TextInput
          {...field('advertiser', '/buyer_metadata/advertiser_id')}
          ref={advertiser}
          label="Advertiser"
          required
          list="advertisers"
          autoComplete="off"
        />
        <datalist id="advertisers">
          {advertisers.map((id) => (
            <option key={id} value={id} />
          ))}
        </datalist>
        <TextInput {...field('campaign', '/buyer_metadata/campaign_id')} label="Campaign" />
        <TextInput {...field('estimate', '/buyer_metadata/estimate_id')} label="Estimate" />
        <TextInput
          {...field('external_order_id', '/external_order_id')}
          label="Your order id"
          description="The seller sees it; it can be ordered once."
        />
        <AgreementChoice seller={seller} basket={basket} put={put} isLocked={isLocked} error={faults('/agreement_id').join(' ')} />
      </Stack>
    </aside>
  )
}

type AgreementChoiceProps = Pick<OrderFactsProps, 'seller' | 'basket' | 'put' | 'isLocked'> & { error: string }

function AgreementChoice({ seller, basket, put, isLocked, error }: AgreementChoiceProps) {
  const { rows, list } = usePages(agreementList, agreementsOf)
  const agreements = rows.filter((one) => one.seller === seller)
  const chosen = agreements.find(({ agreement_id }) => agreement_id === basket.agreement)
  if (list.isSuccess && agreements.length === 0)
    return <p className={classes.terms}>You have no agreement with {seller}: its usual terms apply.</p>
  return (
    <>
      <NativeSelect
        size="xs"
        label="Agreement"
        value={basket.agreement}
        disabled={isLocked}
        error={error}
        onChange={(event) => put({ ...basket, agreement: event.currentTarget.value })}
        data={[{ value: '', label: 'None' }, ...agreements.map(({ agreement_id }) => agreement_id)]}
      />
      {chosen && <Terms agreement={chosen} />}
    </>
  )
}

function Terms({
  agreement: { settlement_mode, cancellation_terms: terms, credit_limit, currency, effective },
}: {
  agreement: BuyerAgreement
}) {
  const lines = [
    `Settled ${settlement_mode === 'direct' ? 'directly with the seller' : 'through the marketplace'}.`,
    terms &&
      `A cancel needs ${countText(terms.notice_days, 'day')} of notice${terms.late_fee_pct === undefined ? '' : `; later it costs ${terms.late_fee_pct}%`}.`,
    credit_limit !== undefined && `Credit up to ${moneyText(credit_limit, currency)}.`,
    `In force from ${effective.start} to ${effective.end}.`,
  ]
  return (
    <p className={classes.terms} role="note">
      {lines.filter(Boolean).join(' ')}
    </p>
  )
}

function agreementsOf({ items }: { items: BuyerAgreement[] }): BuyerAgreement[] {
  return items
}
