// Builds the console into dist/console; `npm run console` serves it with hot reload, next to a running `npm start`.
import { join } from 'node:path';
import { defineConfig } from 'vite';

const API = process.env.PERDURE_URL ?? 'http://127.0.0.1:3000';

const FIRST_PAGE =
  /console\/(app\/(session\/session|api\/)|features\/executions\/(ExecutionsLink|queries\/(executions|executionFilter))\.)/;

export default defineConfig({
  root: import.meta.dirname,
  base: '/console/',
  // Rules of domain/ that hash run in the browser, too.
  resolve: { alias: { 'node:crypto': join(import.meta.dirname, 'shims/crypto.ts') } },
  worker: { format: 'es' },
  build: {
    outDir: join(import.meta.dirname, '../dist/console'),
    emptyOutDir: true,
    // Which page loads what: their weights are tested.
    manifest: true,
    target: 'es2022',
    // Nothing inline: the page's policy allows scripts and pictures of our own origin alone.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // In files of their own these would each cost the first page a request, and compress worse.
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'first', test: FIRST_PAGE }] } } },
  },
  server: { host: '127.0.0.1', port: 5173, proxy: { '/api': API, '/openapi.json': API, '/docs': API } },
});
