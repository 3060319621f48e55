import { UnstyledButton } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { openHolds, releaseHold } from '../../api/queries/holds.ts'
import { Due } from '../../ui/Due.tsx'
import classes from './Basket.module.css'

interface HeldUntilProps {
  holdId: string
  number: number
  /** The id of the text that says what is wrong with the hold. */
  fault: string | undefined
  onEnded: () => void
}

/** Shows until when the seller holds the units of a line, and lets the buyer release them. */
export function HeldUntil({ holdId, number, fault, onEnded }: HeldUntilProps) {
  const queries = useQueryClient()
  const { data: holds } = useQuery(openHolds)
  const hold = holds?.find(({ hold_id }) => hold_id === holdId)
  const releasing = useMutation({
    mutationFn: () => releaseHold(holdId),
    onSuccess: onEnded,
    onSettled: () => queries.invalidateQueries({ queryKey: openHolds.queryKey }),
  })
  return (
    <>
      {hold === undefined ? holds && <span className={classes.about}>over</span> : <Due by={hold.expires_at} isExpiry />}
      <UnstyledButton
        className={classes.link}
        aria-label={`Release the hold of line ${number}`}
        aria-describedby={fault}
        disabled={releasing.isPending}
        onClick={() => (hold === undefined ? onEnded() : releasing.mutate())}
      >
        {hold === undefined ? 'leave out' : 'release'}
      </UnstyledButton>
    </>
  )
}
