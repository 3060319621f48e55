import { Alert, type AlertProps } from '@mantine/core'
import type { ReactNode } from 'react'
import { Icon } from './icons.tsx'

interface NoticeProps extends Pick<AlertProps, 'mt' | 'mb'> {
  title: ReactNode
  /** warn: something has changed or is unknown; bad: it was refused; good: it was done. */
  tone?: keyof typeof TONES
  /** Whether the notice interrupts a screen reader. */
  role?: 'alert' | 'status'
  onClose?: (() => void) | undefined
  children?: ReactNode
}

const TONES = {
  warn: { color: 'orange', icon: 'alert' },
  bad: { color: 'red', icon: 'alert' },
  good: { color: 'green', icon: 'check' },
} as const

/** Shows what the user must know first: a fault, a change by somebody else, or a successful publish. */
export function Notice({ title, tone = 'warn', role = 'alert', onClose, children, ...margins }: NoticeProps) {
  const { color, icon } = TONES[tone]
  const inTone = { color: `var(--${tone})` }
  return (
    <Alert
      color={color}
      variant="outline"
      icon={<Icon name={icon} />}
      title={title}
      role={role}
      withCloseButton={onClose !== undefined}
      closeButtonLabel="Close"
      {...(onClose && { onClose })}
      styles={{ title: inTone, icon: inTone }}
      {...margins}
    >
      {children}
    </Alert>
  )
}
