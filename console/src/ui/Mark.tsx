import { Icon, type IconName } from './icons.tsx'
import classes from './Mark.module.css'

export type Tone = 'good' | 'warn' | 'bad' | 'info' | 'quiet'

/** Shows a state as a word, an icon and a color, so that nobody has to rely on any one of them. */
export function Mark({ icon, tone, word, detail }: { icon: IconName; tone: Tone; word: string; detail?: string | undefined }) {
  return (
    <span className={`${classes.status} ${classes[tone]}`}>
      <Icon name={icon} size={14} />
      {word}
      {detail && <span className={classes.detail}>{detail}</span>}
    </span>
  )
}
