import { type CSSVariablesResolver, createTheme } from '@mantine/core'

/** Dialogs close without an animation, since the next key already belongs to the page beneath. */
const dialog = { defaultProps: { transitionProps: { transition: 'pop', duration: 200, exitDuration: 0 } } }

/**
 * Uses indigo on gray, text of 14, 13 and 12 px, and contrasts of at least 4.5:1 in both color schemes, of placeholders too; the edges of controls
 * have 3:1, which the shades that Mantine draws them in do not.
 */
export const theme = createTheme({
  primaryColor: 'indigo',
  primaryShade: 8,
  autoContrast: true,
  cursorType: 'pointer',
  defaultRadius: 'sm',
  fontFamily: "'Inter Variable', system-ui, sans-serif",
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace',
  fontSizes: { xs: '12px', sm: '13px', md: '14px', lg: '16px', xl: '20px' },
  headings: { sizes: { h1: { fontSize: '18px', lineHeight: '1.3', fontWeight: '600' }, h2: { fontSize: '14px', fontWeight: '600' } } },
  components: { Modal: dialog, Spotlight: dialog },
})

export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': 'var(--mantine-color-gray-7)',
    '--mantine-color-placeholder': 'var(--mantine-color-gray-7)',
    '--mantine-color-gray-4': '#7b838b',
    '--mantine-color-error': 'var(--bad)',
    '--surface': '#ffffff',
    '--surface-raised': '#f8f9fb',
    '--line': '#e3e6eb',
    '--active': '#eef2ff',
    '--mark': '#3b5bdb',
    '--good': '#1e7a34',
    '--warn': '#8f4e00',
    '--bad': '#b42318',
    '--info': '#2f4ac0',
  },
  dark: {
    '--mantine-color-dimmed': 'var(--mantine-color-dark-1)',
    '--mantine-color-placeholder': 'var(--mantine-color-dark-1)',
    '--mantine-color-dark-4': '#868c98',
    '--mantine-color-error': 'var(--bad)',
    '--mantine-color-body': '#16181d',
    '--surface': '#16181d',
    '--surface-raised': '#1c1f26',
    '--line': '#2c313b',
    '--active': '#252c44',
    '--mark': '#91a7ff',
    '--good': '#69db7c',
    '--warn': '#ffc078',
    '--bad': '#ff8f8f',
    '--info': '#a5b8ff',
  },
})
