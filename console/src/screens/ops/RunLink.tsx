import { Anchor } from '@mantine/core'
import { useSession } from '../../api/session.ts'
import { Icon } from '../../ui/icons.tsx'
import classes from './Ops.module.css'

/** Links to a run in the Temporal UI, if the address of the UI is configured. */
export function RunLink({ run }: { run: string }) {
  const { temporal_ui } = useSession()
  if (temporal_ui === undefined) return null
  return (
    <Anchor size="sm" className={classes.run} href={`${temporal_ui}${encodeURIComponent(run)}`} target="_blank" rel="noreferrer">
      Run in Temporal <Icon name="outside" size={14} />
    </Anchor>
  )
}
