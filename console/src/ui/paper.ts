import type { Virtualizer } from '@tanstack/react-virtual'
import { type CSSProperties, type RefObject, useEffect, useState } from 'react'
import { flushSync } from 'react-dom'

const SCHEME = 'data-mantine-color-scheme'

/** Prints the page in the light color scheme, since paper is white. */
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
 * Whether the page is being printed. Components render for print before the browser lays out the paper, which cannot scroll; afterwards the
 * scroll position is restored.
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

/** Returns the rows to render by index: the visible ones with their offset in px, or all of them in print. */
export function rowsToRender<E extends HTMLElement>(
  list: Virtualizer<E, Element>,
  isOnPaper: boolean,
): readonly { index: number; start?: number }[] {
  return isOnPaper ? Array.from({ length: list.options.count }, (_, index) => ({ index })) : list.getVirtualItems()
}

/** Returns a row's style: its offset in px, or in print normal flow, which also applies on the screen behind the print dialog. */
export function rowPlace(top: number | undefined, height: number): CSSProperties {
  return top === undefined ? { position: 'static', minHeight: height } : { transform: `translateY(${top}px)`, height }
}
