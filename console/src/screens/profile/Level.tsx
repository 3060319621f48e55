import type { Capabilities } from '../../api/queries/profile.ts'
import classes from './Profile.module.css'

/** Shows the computed level, the requirements of the next one, and warnings about what keeps the profile from working. */
export function Level({ capabilities: { conformance_level, next_level, warnings = [] } }: { capabilities: Capabilities }) {
  return (
    <aside className={classes.level} aria-label="Level">
      <h2>Level {conformance_level} of 4</h2>
      {next_level === null ? (
        <p>The highest: nothing is missing.</p>
      ) : (
        <>
          <p>For level {next_level.level}:</p>
          <ul>
            {next_level.missing.map((step) => (
              <li key={step}>{step}</li>
            ))}
          </ul>
        </>
      )}
      {warnings.map(({ message }) => (
        <p key={message} className={classes.warning}>
          {message}
        </p>
      ))}
    </aside>
  )
}
