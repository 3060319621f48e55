import { Button, Code, CopyButton, Modal, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './Secret.module.css'

/** A page without a secure context cannot write to the clipboard, so there one click selects the secret. */
const CAN_COPY = window.isSecureContext

/** Shows a secret that the API returns only once. Only its button closes the dialog, so that it is not closed by accident. */
export function Secret({ title, secret, children, onClose }: { title: string; secret: string; children?: ReactNode; onClose: () => void }) {
  return (
    <Modal opened onClose={onClose} title={title} withCloseButton={false} closeOnClickOutside={false} closeOnEscape={false}>
      <Text size="sm" mb="sm">
        This is shown now and never again. Keep it where the receiver checks signatures.
      </Text>
      <Code block mb="sm" data-testid="secret" className={classes.secret ?? ''}>
        {secret}
      </Code>
      {children}
      {CAN_COPY && (
        <CopyButton value={secret}>
          {({ copied, copy }) => (
            <Button fullWidth variant="default" onClick={copy} mb="xs" data-autofocus>
              {copied ? 'Copied' : 'Copy the secret'}
            </Button>
          )}
        </CopyButton>
      )}
      <Button fullWidth onClick={onClose}>
        I have kept it
      </Button>
    </Modal>
  )
}
