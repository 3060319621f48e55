import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const MARKETPLACE = process.env.MARKETPLACE_URL ?? 'http://127.0.0.1:8080'

/** The API serves what is built here at `/console`; `npm run dev` serves the source and passes calls on to MARKETPLACE_URL. */
export default defineConfig({
  base: '/console/',
  plugins: [react()],
  html: { cspNonce: '__NONCE__' },
  build: { target: 'es2023', assetsInlineLimit: 0, modulePreload: { polyfill: false }, chunkSizeWarningLimit: 900 },
  server: { proxy: { '/v1': MARKETPLACE, '/session': MARKETPLACE } },
})
