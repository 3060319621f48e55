import { Button, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useDownSince } from '../../api/health.ts'
import { type ApprovalRule, capabilitiesRead, replaceProfile, rulesRead } from '../../api/queries/approvalRules.ts'
import { Confirm } from '../../ui/Confirm.tsx'
import { FaultAlert } from '../../ui/FaultAlert.tsx'
import { Icon } from '../../ui/icons.tsx'
import { countText } from '../../ui/Money.tsx'
import classes from './Rules.module.css'

/** Shows whether the rules are in force; while they are suspended, people decide every order. */
export function Force({ inForce, rules }: { inForce: boolean; rules: readonly Pick<ApprovalRule, 'then'>[] }) {
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
  const button = {
    size: 'compact-sm',
    variant: 'default',
    disabled: capabilities === undefined || isDown,
    loading: changing.isPending,
  } as const
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
        {inForce ? (
          <Button {...button} onClick={() => changing.mutate()}>
            Suspend the rules
          </Button>
        ) : (
          <Confirm
            label="Put them in force"
            consequence={consequenceOf(rules, capabilities?.approval)}
            run={() => changing.mutate()}
            button={button}
          />
        )}
      </div>
    </>
  )
}

/** Says what the rules will do from now on. */
function consequenceOf(rules: readonly Pick<ApprovalRule, 'then'>[], approval: string | undefined): string {
  const count = (then: ApprovalRule['then'], word: string) => {
    const of = rules.filter((rule) => rule.then === then).length
    return of === 0 ? [] : [`${countText(of, 'rule')} ${of === 1 ? `${word}s` : word}`]
  }
  const acts = [...count('approve', 'approve'), ...count('reject', 'reject'), ...count('hold', 'hold')].join(', ')
  const server = approval === 'pull' ? ' Your own server is no longer asked.' : ''
  return `New orders are decided at once, by nobody: ${acts || 'there is no rule'}. Orders that no rule matches, and those that wait now, stay with people.${server}`
}

function notInForce(approval: string | undefined): string {
  if (approval === 'pull') return 'Your own server approves orders; putting the rules in force takes that over.'
  return 'Orders wait for a person, whatever the rules say.'
}
