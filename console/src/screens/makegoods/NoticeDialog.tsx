import { Button, Checkbox, Group, Modal, NativeSelect, NumberInput, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { type NoticeMakegood, noticeMakegood } from '../../api/queries/makegoods.ts'
import type { Order } from '../../api/queries/orders.ts'
import { useSession } from '../../api/session.ts'
import { FaultAlert } from '../../ui/FaultAlert.tsx'
import { type FaultsAt, faultsAt } from '../../ui/fieldFaults.ts'
import { draftOf, isWhole, OfferFields, offerOf } from './OfferFields.tsx'
import { bookedSpots, REASONS, type Spot, spotText, titleOf } from './texts.ts'
import { useMakegoodAct } from './useMakegoodAct.ts'

interface NoticeProps {
  readonly order: Order
  /** The line and date from which the dialog was opened. */
  readonly first: { readonly unit: string | undefined; readonly date: string | undefined }
  readonly onClose: () => void
}

/** Says that units do not air, with another spot in their place or without. */
export function NoticeDialog({ order, first, onClose }: NoticeProps) {
  const { name } = useSession()
  const spots = bookedSpots(order)
  const [chosen, setChosen] = useState(
    Math.max(
      0,
      spots.findIndex(({ unit_id, date }) => unit_id === first.unit && date === first.date),
    ),
  )
  const spot = spots[chosen]
  const [units, setUnits] = useState<number | string>(1)
  const [code, setCode] = useState<string>(REASONS[0])
  const [reason, setReason] = useState('')
  const [isOffering, setOffering] = useState(false)
  const [offer, setOffer] = useState(draftOf(order, spot && { ...spot, units: 1 }))
  const notice = useMakegoodAct((key, body: NoticeMakegood) => noticeMakegood(order.order_id, key, body), onClose)
  const faults = faultsAt(notice.error)
  const choose = (index: number) => {
    setChosen(index)
    setOffer({ ...draftOf(order, spots[index]), date: offer.date, units: offer.units })
  }
  const isReady = spot !== undefined && Number(units) >= 1 && (!isOffering || isWhole(offer))
  const send = () => {
    if (spot === undefined) return
    notice.mutate({ ...missedOf(spot, { units, code, reason }), ...(isOffering && { offers: [offerOf(offer)] }), actor: name })
  }
  return (
    <Modal opened onClose={onClose} size="lg" title="Units that do not air" closeButtonProps={{ 'aria-label': 'Close' }}>
      <WhatFields
        order={order}
        spots={spots}
        chosen={chosen}
        choose={choose}
        units={units}
        setUnits={setUnits}
        code={code}
        setCode={setCode}
        faults={faults}
      />
      <TextInput label="In words" mb="sm" maxLength={500} value={reason} onChange={(event) => setReason(event.currentTarget.value)} />
      <Checkbox
        mb="sm"
        label="Offer another spot in their place"
        checked={isOffering}
        onChange={(event) => setOffering(event.currentTarget.checked)}
      />
      {isOffering && <OfferFields order={order} offer={offer} set={setOffer} error={notice.error} at="/offers/0" />}
      <Text size="sm" mb="sm">
        {spot && consequenceOf(order, { ...spot, units: Number(units) }, isOffering)}
      </Text>
      <FaultAlert error={notice.error} atFields={['/for/0/date', '/for/0/units', '/offers/0']} />
      <Button fullWidth mt="md" loading={notice.isPending} disabled={!isReady} onClick={send}>
        {isOffering ? 'Tell the buyer and offer it' : 'Tell the buyer'}
      </Button>
    </Modal>
  )
}

function missedOf({ unit_id, date }: Spot, said: { units: number | string; code: string; reason: string }): Pick<NoticeMakegood, 'for'> {
  const reason = said.reason.trim()
  return { for: [{ unit_id, date, units: Number(said.units), reason_code: said.code, ...(reason !== '' && { reason }) }] }
}

interface WhatFieldsProps {
  readonly order: Order
  readonly spots: readonly Spot[]
  readonly chosen: number
  readonly choose: (index: number) => void
  readonly units: number | string
  readonly setUnits: (units: number | string) => void
  readonly code: string
  readonly setCode: (code: string) => void
  readonly faults: FaultsAt
}

/** Which units do not air, and why. */
function WhatFields({ order, spots, chosen, choose, units, setUnits, code, setCode, faults }: WhatFieldsProps) {
  return (
    <Group gap="xs" align="start" mb="sm">
      <NativeSelect
        label="Line and date"
        data-autofocus
        value={String(chosen)}
        error={faults('/for/0/date').join(' ')}
        onChange={(event) => choose(Number(event.currentTarget.value))}
        data={spots.map((one, index) => ({
          value: String(index),
          label: `${titleOf(order, one.unit_id)}, ${one.date}, ${one.units} booked`,
        }))}
      />
      <NumberInput label="Units" w={90} min={1} value={units} error={faults('/for/0/units').join(' ')} onChange={setUnits} />
      <NativeSelect
        label="Why"
        value={code}
        onChange={(event) => setCode(event.currentTarget.value)}
        data={REASONS.map((value) => ({ value, label: value.replaceAll('_', ' ') }))}
      />
    </Group>
  )
}

function consequenceOf(order: Order, spot: Spot, isOffering: boolean): string {
  const missed = `The buyer reads at once that ${spotText(order, spot)} does not air.`
  if (isOffering)
    return `${missed} It can accept the offer until the end of its date, decline it, or take credit; it is billed at the price of what it replaces, never more.`
  return `${missed} It can take credit until you offer something; without an offer by the end of the flight the units are credited.`
}
