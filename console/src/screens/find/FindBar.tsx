import { Button } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { Basket } from '../../basket/basket.ts'
import { HoldDialog } from '../../basket/HoldDialog.tsx'
import { ButtonKeys } from '../../ui/ButtonKeys.tsx'
import { useKeys } from '../../ui/keys.ts'
import { countText } from '../../ui/Money.tsx'
import classes from './Find.module.css'
import { basketText } from './sums.ts'

interface FindBarProps {
  baskets: Readonly<Record<string, Basket>>
  put: (seller: string, basket: Basket) => void
  /** The seller whose basket was filled last. */
  seller: string
}

/** Shows the contents of the baskets, and the buttons to hold or to order them. */
export function FindBar({ baskets, put, seller }: FindBarProps) {
  const navigate = useNavigate()
  const [isHolding, setHolding] = useState(false)
  const sellers = Object.keys(baskets)
  const current = baskets[seller] === undefined ? sellers[0] : seller
  const basket = current === undefined ? undefined : baskets[current]
  const open = (of: string) => void navigate({ to: '/basket/$seller', params: { seller: of } })
  useKeys('Find', current === undefined ? [] : [{ keys: 'mod+Enter', does: `Open the basket for ${current}`, run: () => open(current) }])
  if (current === undefined || basket === undefined)
    return <div className={classes.bar}>Type units beside a price to put it into the basket.</div>
  const free = basket.lines.filter(({ hold_id }) => hold_id === undefined)
  return (
    <section className={classes.bar} aria-label="Baskets">
      <output className={classes.sum}>{basketText(basket)}</output>
      <span className={classes.others}>
        {sellers
          .filter((one) => one !== current)
          .map((one) => (
            <Button key={one} size="compact-sm" variant="subtle" onClick={() => open(one)}>
              {one}: {countText(baskets[one]?.lines.length ?? 0, 'line')}
            </Button>
          ))}
      </span>
      {free.length > 0 && (
        <Button size="sm" variant="default" onClick={() => setHolding(true)}>
          Hold {countText(free.length, 'line')}
        </Button>
      )}
      <Button size="sm" onClick={() => open(current)} rightSection={<ButtonKeys keys="mod+Enter" />}>
        Basket for {current}: {countText(basket.lines.length, 'line')}
      </Button>
      {isHolding && (
        <HoldDialog
          seller={current}
          lines={free}
          onHeld={({ hold_id }) => put(current, { ...basket, lines: basket.lines.map((line) => ({ hold_id, ...line })) })}
          onClose={() => setHolding(false)}
        />
      )}
    </section>
  )
}
