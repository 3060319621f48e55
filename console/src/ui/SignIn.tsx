import { Button, Divider, Paper, PasswordInput, Stack, Text, Title, UnstyledButton } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { Fault } from '../api/fault.ts'
import { issuerSignIn, type Persona, personasRead, type Session, useSignIn, waysRead } from '../api/session.ts'
import { FaultAlert } from './FaultAlert.tsx'
import { Icon } from './icons.tsx'
import classes from './SignIn.module.css'

interface SignInProps {
  last: Session | undefined
  onSignIn: () => void
}

/** Shown instead of a screen while nobody is signed in, and over the screen after a session ends, so that the address and drafts stay. */
export function SignIn({ last, onSignIn }: SignInProps) {
  if (last === undefined) return <SignInForm last={last} onSignIn={onSignIn} />
  return (
    <div ref={(element) => element?.focus()} className={classes.over} role="dialog" aria-modal="true" aria-label="Sign in" tabIndex={-1}>
      <SignInForm last={last} onSignIn={onSignIn} />
    </div>
  )
}

function SignInForm({ last, onSignIn }: SignInProps) {
  const signIn = useSignIn()
  const { data: ways, error } = useQuery(waysRead)
  const { data: personas = [] } = useQuery({ ...personasRead, enabled: ways?.personas === true })
  const entering = useMutation({ mutationFn: signIn, onMutate: onSignIn })
  const ofToken = entering.variables !== undefined && 'token' in entering.variables && isRefusedToken(entering.error)
  return (
    <main className={classes.page}>
      <Paper withBorder p="xl" w={440} maw="100%">
        <Title order={1}>Order Marketplace</Title>
        <Text c="dimmed" mt={4} mb="lg">
          {last === undefined
            ? 'Sign in to approve, negotiate and order.'
            : `Your session has ended. Sign in as ${last.entity} to continue; your drafts are kept.`}
        </Text>
        <Stack>
          <FaultAlert error={entering.error} title="You are not signed in" />
          <FaultAlert error={error} />
          {ways?.issuer && (
            <Button component="a" href={issuerSignIn()}>
              Sign in with {ways.issuer}
            </Button>
          )}
          {personas.length > 0 && (
            <Personas personas={personas} pick={(persona) => entering.mutate({ persona })} isBusy={entering.isPending} />
          )}
          {ways?.token && (personas.length > 0 || ways.issuer) && <Divider label="or with a token" />}
          {ways?.token && (
            <TokenForm
              enter={(token) => entering.mutate({ token })}
              isBusy={entering.isPending}
              isMain={!ways.issuer}
              fault={ofToken ? entering.error?.message : undefined}
            />
          )}
        </Stack>
      </Paper>
    </main>
  )
}

function Personas({ personas, pick, isBusy }: { personas: readonly Persona[]; pick: (persona: string) => void; isBusy: boolean }) {
  return (
    <ul className={classes.personas} aria-label="People of the sandbox">
      {personas.map(({ persona, name, tenant_name, side }) => (
        <li key={persona}>
          <UnstyledButton className={classes.persona} onClick={() => pick(persona)} disabled={isBusy}>
            <span>
              <Text size="md" fw={600}>
                {name}
              </Text>
              <Text size="sm" c="dimmed">
                {side} at {tenant_name}
              </Text>
            </span>
            <Icon name="next" />
          </UnstyledButton>
        </li>
      ))}
    </ul>
  )
}

function isRefusedToken(error: unknown): boolean {
  return error instanceof Fault && error.code === 'UNAUTHENTICATED'
}

interface TokenFormProps {
  enter: (token: string) => void
  isBusy: boolean
  isMain: boolean
  fault: string | undefined
}

function TokenForm({ enter, isBusy, isMain, fault }: TokenFormProps) {
  const [token, setToken] = useState('')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (token.trim() !== '') enter(token.trim())
  }
  return (
    <form onSubmit={submit}>
      <Stack gap="xs">
        <PasswordInput
          label="Token"
          description="The bearer token of your tenant, omp_..."
          value={token}
          error={fault}
          aria-invalid={fault !== undefined}
          onChange={(event) => setToken(event.currentTarget.value)}
          autoComplete="off"
          visibilityToggleButtonProps={{ 'aria-label': 'Show the token' }}
        />
        <Button type="submit" variant={isMain ? 'filled' : 'default'} loading={isBusy} disabled={token.trim() === ''}>
          Sign in
        </Button>
      </Stack>
    </form>
  )
}
