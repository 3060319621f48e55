import { Checkbox, TextInput } from '@mantine/core'
import { isOn, keyOf, type Said, withOn } from './answers.ts'

interface LeaveOutProps {
  readonly line: number
  /** Whether the line is left out, also by an answer. */
  readonly isLeftOut: boolean
  readonly said: Said
  readonly say: (next: Said) => void
}

/** Leaves a line out, with a note for the seller, which sees it with the order. */
export function LeaveOut({ line, isLeftOut, said, say }: LeaveOutProps) {
  const isOwn = isOn(said, keyOf.omit(line))
  if (isLeftOut && !isOwn) return null
  return (
    <>
      <Checkbox
        size="xs"
        mt={4}
        label="Leave out"
        aria-label={`Leave out line ${line}`}
        checked={isOwn}
        onChange={(event) => say(withOn(said, keyOf.omit(line), event.currentTarget.checked))}
      />
      {isOwn && (
        <TextInput
          size="xs"
          mt={4}
          label="Note for the seller"
          aria-label={`Note for the seller on line ${line}`}
          maxLength={500}
          value={said[keyOf.note(line)] ?? ''}
          onChange={(event) => say({ ...said, [keyOf.note(line)]: event.currentTarget.value })}
        />
      )}
    </>
  )
}
