import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { checkBudget } from './build/budget.ts';
import { compress } from './build/compress.ts';

const outDir = '../../dist/console';

export default defineConfig({
  root: import.meta.dirname,
  base: '/ui/',
  plugins: [
    react(),
    {
      name: 'sealift-finish',
      writeBundle(options, bundle) {
        compress(options.dir ?? outDir);
        checkBudget(options.dir ?? outDir, bundle);
      },
    },
  ],
  build: {
    outDir,
    emptyOutDir: true,
    target: ['chrome123', 'firefox128', 'safari17.5'],
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        // Otherwise a page is made of up to forty small files, each of which costs a request.
        codeSplitting: {
          groups: [
            { name: 'first', tags: ['$initial'] },
            { name: 'shared', minShareCount: 7 },
          ],
        },
      },
    },
  },
  logLevel: 'warn',
});
