import { Button, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useDownSince } from '../../api/health.ts'
import { capabilitiesRead, replaceProfile, rulesRead } from '../../api/queries/rules.ts'
import { FaultAlert } from '../../ui/FaultAlert.tsx'
import { Icon } from '../../ui/icons.tsx'
import classes from './Rules.module.css'

/** Shows whether the rules are in force; while they are suspended, people decide every order. */
export function Force({ inForce }: { inForce: boolean }) {
  const queries = useQueryClient()
  const { data: capabilities, error } = useQuery(capabilitiesRead)
  const isDown = useDownSince() !== undefined
  const changing = useMutation({
    mutationFn: async () => {
      if (capabilities === undefined) return
      const { version, ...profile } = capabilities
      await replaceProfile({ ...profile, approval: inForce ? 'console' : 'rules' }, version)
    },
    onSettled: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: capabilitiesRead.queryKey }),
        queries.invalidateQueries({ queryKey: rulesRead.queryKey }),
      ]),
  })
  return (
    <>
      <FaultAlert error={changing.error ?? error} />
      <div className={classes.force}>
        <span className={inForce ? classes.on : classes.off}>
          <Icon name={inForce ? 'check' : 'ban'} size={14} /> {inForce ? 'In force' : 'Not in force'}
        </span>
        <Text size="sm" c="dimmed">
          {inForce ? 'New orders are decided by the first rule that matches.' : notInForce(capabilities?.approval)}
        </Text>
        <Button
          size="compact-sm"
          variant="default"
          disabled={capabilities === undefined || isDown}
          loading={changing.isPending}
          onClick={() => changing.mutate()}
        >
          {inForce ? 'Suspend the rules' : 'Put them in force'}
        </Button>
      </div>
    </>
  )
}

function notInForce(approval: string | undefined): string {
  if (approval === 'pull') return 'Your own server approves orders; putting the rules in force takes that over.'
  return 'Orders wait for a person, whatever the rules say.'
}
