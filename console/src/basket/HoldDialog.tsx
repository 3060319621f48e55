import { Button, Modal, NativeSelect, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useDownSince } from '../api/health.ts'
import { createHold, type Hold, openHolds } from '../api/queries/holds.ts'
import { useKeyed } from '../api/useKeyed.ts'
import { FaultAlert } from '../ui/FaultAlert.tsx'
import { countText } from '../ui/Money.tsx'
import type { BasketLine } from './basket.ts'

interface HoldDialogProps {
  seller: string
  lines: readonly BasketLine[]
  onHeld: (hold: Hold) => void
  onClose: () => void
}

/** Asks the seller to hold the units of the lines until the order is placed. */
export function HoldDialog({ seller, lines, onHeld, onClose }: HoldDialogProps) {
  const queries = useQueryClient()
  const isDown = useDownSince() !== undefined
  const send = useKeyed()
  const [minutes, setMinutes] = useState('60')
  const held = lines.map(({ product_id, period, units, rate: { spot_length } }) => ({
    product_id,
    period,
    units: Number(units),
    spot_length,
  }))
  const holding = useMutation({
    mutationFn: () => send({ seller, lines: held, ttl_minutes: Number(minutes) }, createHold),
    onSuccess: (hold) => {
      onHeld(hold)
      void queries.invalidateQueries({ queryKey: openHolds.queryKey })
      onClose()
    },
  })
  return (
    <Modal opened onClose={onClose} title={`Hold ${countText(lines.length, 'line')}`} closeButtonProps={{ 'aria-label': 'Close' }}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          holding.mutate()
        }}
      >
        <Text size="sm" mb="sm">
          The seller keeps these units for you until the time is over or the order is placed. A hold books nothing and locks no price.
        </Text>
        <NativeSelect
          label="Hold for"
          value={minutes}
          onChange={(event) => setMinutes(event.currentTarget.value)}
          data={HOLD_FOR}
          data-autofocus
          mb="md"
        />
        <FaultAlert error={holding.error} title="Nothing is held" />
        <Button type="submit" fullWidth mt="md" disabled={isDown} loading={holding.isPending}>
          Hold {countText(lines.length, 'line')}
        </Button>
      </form>
    </Modal>
  )
}

const HOLD_FOR = [
  { value: '15', label: '15 minutes' },
  { value: '60', label: '1 hour' },
  { value: '240', label: '4 hours' },
  { value: '1440', label: '1 day' },
]
