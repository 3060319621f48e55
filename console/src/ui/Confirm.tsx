import { Button, type ButtonProps, Modal } from '@mantine/core'
import { type ReactNode, useState } from 'react'

interface ConfirmProps {
  /** What the button does, and the title of the question. */
  readonly label: string
  /** What follows from it, in figures where there are any. */
  readonly consequence: ReactNode
  readonly run: () => void
  readonly isGrave?: boolean
  readonly button: ButtonProps
}

/** A button whose act cannot be taken back: it says once what follows. */
export function Confirm({ label, consequence, run, isGrave = false, button }: ConfirmProps) {
  const [isAsking, setAsking] = useState(false)
  return (
    <>
      <Button {...button} onClick={() => setAsking(true)}>
        {label}
      </Button>
      {isAsking && (
        <Modal opened onClose={() => setAsking(false)} title={label} closeButtonProps={{ 'aria-label': 'Close' }}>
          {consequence}
          <Button
            fullWidth
            mt="md"
            color={isGrave ? 'red.9' : 'indigo'}
            data-autofocus
            onClick={() => {
              setAsking(false)
              run()
            }}
          >
            {label}
          </Button>
        </Modal>
      )}
    </>
  )
}
