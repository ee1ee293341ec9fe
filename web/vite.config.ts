import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** Where the service listens while the console is worked on: `npm run web:dev`, beside `npm start`. */
const SERVICE = 'http://127.0.0.1:8080'

export default defineConfig({
  root: import.meta.dirname,
  base: '/console/',
  plugins: [react(), tailwindcss()],
  build: {
    manifest: true,
    // Browsers of the last two years and a half.
    target: 'baseline-widely-available',
    // A data: address would be no file with a hash, and is not worth its bytes.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
  },
  server: {
    // What the console asks for is the service's, and so are the pages where people sign in.
    proxy: Object.fromEntries(
      ['/console/api', '/v1', '/operator', '/auth', '/account', '/sign-in', '/sign-out'].map(
        (path) => [path, SERVICE],
      ),
    ),
  },
})
