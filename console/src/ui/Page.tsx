import { Title } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './Page.module.css'

/** A screen with its title, controls next to the title, and the content below. The browser tab has the same name. */
export function Page({
  title,
  name = title,
  aside,
  children,
}: {
  title: ReactNode
  name?: ReactNode
  aside?: ReactNode
  children: ReactNode
}) {
  return (
    <main id="main" className={classes.page} tabIndex={-1}>
      {typeof name === 'string' && <title>{`${name} · Order Marketplace`}</title>}
      <header className={classes.head}>
        <Title order={1}>{title}</Title>
        <div className={classes.aside}>{aside}</div>
      </header>
      <div className={classes.body}>{children}</div>
    </main>
  )
}
