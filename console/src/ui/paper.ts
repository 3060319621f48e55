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
