import type { Virtualizer } from '@tanstack/react-virtual'
import { type CSSProperties, type RefObject, useEffect, useState } from 'react'
import { flushSync } from 'react-dom'

const SCHEME = 'data-mantine-color-scheme'

/** Has the page printed in the light scheme, since paper is white. */
export function printInLight(): void {
  const root = document.documentElement
  let isDark = false
  window.addEventListener('beforeprint', () => {
    isDark = root.getAttribute(SCHEME) === 'dark'
    if (isDark) root.setAttribute(SCHEME, 'light')
  })
  window.addEventListener('afterprint', () => {
    if (isDark) root.setAttribute(SCHEME, 'dark')
  })
}

/**
 * Whether the page is being printed. What a component then renders is there before the browser lays the paper out, which has no scrolling: what scrolls
 * is afterwards where it was.
 */
export function useOnPaper(scroller: RefObject<HTMLElement | null>): boolean {
  const [isOnPaper, setOnPaper] = useState(false)
  useEffect(() => {
    let place = { left: 0, top: 0 }
    const begin = () => {
      place = { left: scroller.current?.scrollLeft ?? 0, top: scroller.current?.scrollTop ?? 0 }
      flushSync(() => setOnPaper(true))
    }
    const end = () => {
      flushSync(() => setOnPaper(false))
      scroller.current?.scrollTo({ ...place, behavior: 'instant' })
    }
    window.addEventListener('beforeprint', begin)
    window.addEventListener('afterprint', end)
    return () => {
      window.removeEventListener('beforeprint', begin)
      window.removeEventListener('afterprint', end)
    }
  }, [scroller])
  return isOnPaper
}

/** The rows to render, by index: those in view with their px from the first one, on paper all of them. */
export function rowsToRender<E extends HTMLElement>(
  list: Virtualizer<E, Element>,
  isOnPaper: boolean,
): readonly { index: number; start?: number }[] {
  return isOnPaper ? Array.from({ length: list.options.count }, (_, index) => ({ index })) : list.getVirtualItems()
}

/** Where a row of the list is: so many px below the first one, or on paper below the one before it, also on the screen behind the dialog that prints. */
export function rowPlace(top: number | undefined, height: number): CSSProperties {
  return top === undefined ? { position: 'static', minHeight: height } : { transform: `translateY(${top}px)`, height }
}
