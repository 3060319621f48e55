import { TextInput } from '@mantine/core'

/** What sellers say most often; the field offers them while somebody types. */
const PRESETS = [
  'Sold out',
  'Below our price',
  'Too close to air',
  'Competes with another advertiser',
  'The advertiser is not accepted',
  'The copy is missing',
] as const

interface ReasonFieldProps {
  readonly id: string
  readonly className?: string
  readonly label?: string
  readonly value: string
  readonly error: string
  readonly set: (reason: string) => void
  /** Called when the user leaves the field with Escape. */
  readonly onLeave: () => void
}

/** Takes the reason of a decision, which the buyer reads. */
export function ReasonField({ id, className = '', label = 'Reason', value, error, set, onLeave }: ReasonFieldProps) {
  return (
    <>
      <TextInput
        id={id}
        size="xs"
        className={className}
        label={label}
        description="The buyer reads it"
        list={`${id}-presets`}
        autoComplete="off"
        value={value}
        error={error}
        onChange={(event) => set(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return
          event.preventDefault()
          onLeave()
        }}
      />
      <datalist id={`${id}-presets`}>
        {PRESETS.map((text) => (
          <option key={text} value={text} />
        ))}
      </datalist>
    </>
  )
}
