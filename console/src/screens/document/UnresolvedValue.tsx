import { NativeSelect, TextInput } from '@mantine/core'
import { useId } from 'react'
import { idOf, isResolved, keyOf, type Said } from './answers.ts'
import classes from './DocumentScreen.module.css'
import { memberOf, optionsOf, type Unresolved } from './parse.ts'

interface UnresolvedValueProps {
  readonly value: Unresolved
  readonly said: Said
  readonly say: ((next: Said) => void) | undefined
}

/** Shows why a value cannot be ordered as read, its place in the document, and a field to replace it. */
export function UnresolvedValue({ value, said, say }: UnresolvedValueProps) {
  const key = keyOf.value(value)
  const [member, options] = [memberOf(value), optionsOf(value)]
  const set = (chosen: string) => say?.({ ...said, [key]: chosen })
  const fault = useId()
  const field = {
    size: 'xs' as const,
    id: idOf(key),
    'aria-label': `Line ${value.line}, ${value.field.replaceAll('_', ' ')}`,
    error: !isResolved(value, said),
    'aria-errormessage': fault,
    value: said[key] ?? '',
  }
  return (
    <div className={classes.unresolved}>
      <p id={fault} aria-live="polite">
        {value.message}{' '}
        {value.read !== null && (
          <>
            The document says <q>{value.read}</q>
            {value.at !== null && ` in ${value.at}`}.
          </>
        )}
      </p>
      {say && options.length > 0 && (
        <NativeSelect
          {...field}
          onChange={(event) => set(event.currentTarget.value)}
          data={[{ value: '', label: 'Choose what is meant' }, ...options]}
        />
      )}
      {say && options.length === 0 && member !== undefined && (
        <TextInput {...field} placeholder={PLACEHOLDERS[member]} onChange={(event) => set(event.currentTarget.value)} />
      )}
      {say && options.length === 0 && member === undefined && (
        <span className={classes.at}>Leave the line out, or send another document.</span>
      )}
    </div>
  )
}

const PLACEHOLDERS = { product_id: 'id of a product', period: '2027-W06', units: 'units', locked_rate_id: 'id of a price' }
