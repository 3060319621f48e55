import { Button, Group, Modal, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useDownSince } from '../../api/health.ts'
import { type Makegood, type ReviseMakegood, reviseMakegood } from '../../api/queries/makegoods.ts'
import type { Order } from '../../api/queries/orders.ts'
import { useSession } from '../../api/session.ts'
import { useIsShown } from '../../order/useShown.ts'
import { ButtonKeys } from '../../ui/ButtonKeys.tsx'
import { FaultAlert } from '../../ui/FaultAlert.tsx'
import { useKeys } from '../../ui/keys.ts'
import { Notice } from '../../ui/Notice.tsx'
import { draftOf, isWhole, OfferFields, offerOf } from './OfferFields.tsx'
import { actsOf, spotText } from './texts.ts'
import { useMakegoodAct } from './useMakegoodAct.ts'

interface ActsProps {
  readonly makegood: Makegood
  readonly order: Order
  readonly isActive: boolean
}

/** What a seller may do with a makegood that nobody has answered. */
export function SellerActs({ makegood, order, isActive }: ActsProps) {
  const [act, setAct] = useState<'offer' | 'recall'>()
  const isDown = useDownSince() !== undefined
  const isPossible = actsOf('seller', makegood).length > 0
  useKeys(
    'The makegood',
    isActive && isPossible && !isDown
      ? [
          { keys: 'o', does: 'Offer other spots', run: () => setAct('offer') },
          { keys: 'r', does: 'Take the makegood back', run: () => setAct('recall') },
        ]
      : [],
  )
  if (!isPossible) return null
  const keys = (key: string) => (isActive ? <ButtonKeys keys={key} /> : undefined)
  return (
    <>
      <Group gap="xs">
        <Button size="xs" disabled={isDown} onClick={() => setAct('offer')} rightSection={keys('o')}>
          {makegood.offers.length === 0 ? 'Offer other spots' : 'Offer others instead'}
        </Button>
        <Button size="xs" variant="default" disabled={isDown} onClick={() => setAct('recall')} rightSection={keys('r')}>
          Take back
        </Button>
      </Group>
      {act && <ReviseDialog act={act} makegood={makegood} order={order} onClose={() => setAct(undefined)} />}
    </>
  )
}

interface ReviseProps {
  readonly act: 'offer' | 'recall'
  readonly makegood: Makegood
  readonly order: Order
  readonly onClose: () => void
}

function ReviseDialog({ act, makegood, order, onClose }: ReviseProps) {
  const { name } = useSession()
  const [seen] = useState(makegood)
  const [note, setNote] = useState('')
  const [offer, setOffer] = useState(draftOf(order, seen.for[0]))
  const revise = useMakegoodAct((key, body: ReviseMakegood) => reviseMakegood(seen, key, body), onClose)
  const isShown = useIsShown(`${seen.makegood_id} ${act}`)
  const isStale = makegood.version !== seen.version || makegood.status !== seen.status
  const said = { version: seen.version, actor: name, ...(note.trim() !== '' && { note: note.trim() }) }
  const body: ReviseMakegood = act === 'recall' ? { action: act, ...said } : { action: act, offers: [offerOf(offer)], ...said }
  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      title={act === 'offer' ? 'Offer other spots' : 'Take back'}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <Text size="sm" mb="sm">
        {consequenceOf(act, seen, order)}
      </Text>
      {isStale && <Notice title="The other side has answered while you read this. Close it to see what it is now." mb="sm" />}
      {act === 'offer' && <OfferFields order={order} offer={offer} set={setOffer} error={revise.error} at="/offers/0" />}
      <TextInput label="Note" mb="md" maxLength={500} value={note} onChange={(event) => setNote(event.currentTarget.value)} />
      <FaultAlert error={revise.error} atFields={['/offers/0']} />
      <Button
        fullWidth
        mt="md"
        color={act === 'offer' ? 'indigo' : 'red.9'}
        loading={revise.isPending}
        disabled={!isShown || isStale || (act === 'offer' && !isWhole(offer))}
        onClick={() => revise.mutate(body)}
      >
        {act === 'offer' ? 'Offer it' : 'Take back'}
      </Button>
    </Modal>
  )
}

function consequenceOf(act: 'offer' | 'recall', makegood: Makegood, order: Order): string {
  const missed = makegood.for.map((spot) => spotText(order, spot)).join('; ')
  if (act === 'recall') return `You say that it airs after all, or is settled otherwise: ${missed}. The buyer can no longer answer.`
  const before = makegood.offers.length === 0 ? '' : ' It stands in place of what you have offered before.'
  return `In the place of ${missed}. It is billed at the price of what it replaces, never more.${before} The buyer can answer until the end of its date.`
}
