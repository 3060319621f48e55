import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { replaceRules, rulesRead } from '../../api/queries/approvalRules.ts'
import { useSession } from '../../api/session.ts'
import { useDraft } from '../../ui/drafts.ts'
import { draftOf, isStale, movedRule, newRule, type RuleDraft, type RulesDraft, ruleOf } from './ruleDrafts.ts'

/** Holds the published rules or the draft of new ones, and replaces the rules with the draft. */
export function useRules() {
  const { entity, side } = useSession()
  const queries = useQueryClient()
  const read = useQuery(rulesRead)
  const published = useMemo<RulesDraft>(
    () => ({ rules: (read.data?.rules ?? []).map(draftOf), version: read.data?.version ?? '*' }),
    [read.data],
  )
  const [kept, setKept] = useDraft<RulesDraft | null>(`${side}:${entity}`, 'rules', null)
  const draft = kept ?? published
  const [at, setAt] = useState(0)
  const sending = useMutation({
    mutationFn: ({ rules, version }: RulesDraft) => replaceRules(rules.map(ruleOf), version),
    onSuccess: (replaced) => {
      queries.setQueryData(rulesRead.queryKey, replaced)
      setKept(undefined)
    },
    onError: (error) => (isStale(error) ? read.refetch().then(() => undefined) : undefined),
  })
  const change = (rules: readonly RuleDraft[]) => setKept({ rules, version: draft.version })
  const replace = (next: RulesDraft) => {
    if (!sending.isPending) sending.mutate(next)
  }
  return {
    read,
    published,
    rules: draft.rules,
    isChanged: kept !== null,
    at: Math.min(at, Math.max(0, draft.rules.length - 1)),
    setAt,
    set: (index: number, rule: RuleDraft) => change(draft.rules.with(index, rule)),
    add: () => {
      change([...draft.rules, newRule(draft.rules)])
      setAt(draft.rules.length)
    },
    remove: (index: number) => change(draft.rules.toSpliced(index, 1)),
    move: (from: number, to: number) => {
      change(movedRule(draft.rules, from, to))
      setAt(Math.max(0, Math.min(draft.rules.length - 1, to)))
    },
    discard: () => {
      setKept(undefined)
      sending.reset()
    },
    send: () => kept !== null && replace(kept),
    isSending: sending.isPending,
    error: isStale(sending.error) ? null : sending.error,
    /** Whether somebody else has replaced the rules since the draft was started. */
    isStale: kept !== null && isStale(sending.error),
    sendOver: () => replace({ rules: draft.rules, version: published.version }),
    isSaved: sending.isSuccess && kept === null,
  }
}

export type RulesState = ReturnType<typeof useRules>
