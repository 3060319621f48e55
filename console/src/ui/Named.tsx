import classes from './figures.module.css'

interface NamedProps {
  /** The name under which people know it; undefined if it has none. */
  readonly name: string | undefined
  readonly id: string
}

/** Names what people know by a title: the title, and its id in grey. Texts of others keep their own direction. */
export function Named({ name, id }: NamedProps) {
  if (name === undefined || name === '' || name === id) return <bdi>{id}</bdi>
  return (
    <>
      <bdi>{name}</bdi> <bdi className={classes.id}>{id}</bdi>
    </>
  )
}

/** The same where there is room for the title alone; its id is the tooltip. */
export function ShortName({ name, id }: NamedProps) {
  return <bdi title={id}>{name || id}</bdi>
}
