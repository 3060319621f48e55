import { useEffect, useState } from 'react'
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

/** Whether the page is being printed. What a component then renders is there before the browser lays the paper out. */
export function useOnPaper(): boolean {
  const [isOnPaper, setOnPaper] = useState(false)
  useEffect(() => {
    const begin = () => flushSync(() => setOnPaper(true))
    const end = () => setOnPaper(false)
    window.addEventListener('beforeprint', begin)
    window.addEventListener('afterprint', end)
    return () => {
      window.removeEventListener('beforeprint', begin)
      window.removeEventListener('afterprint', end)
    }
  }, [])
  return isOnPaper
}
