// Builds the npm package of the element: dist/packages/element, and its tarball beside it.
import { join } from 'node:path';
import { defineConfig } from 'vite';
import { elementPackage, frameworks, toExports } from './scripts/package-element.mjs';
import { npmPackage, packagesFolder } from './scripts/package-folder.mjs';
import { elementOnServer } from './scripts/package-server.mjs';
import { entries, firstChunk, toRolldownOptions } from './scripts/widget-chunks.mjs';
import { widgetLiterals } from './scripts/widget-literals.mjs';
import { widgetMinify } from './scripts/widget-minify.mjs';
import { widgetZod } from './scripts/widget-zod.mjs';

const entryNames = ['index', 'define'];
const { [firstChunk]: _, ...lazyEntries } = entries;
const firstModules = ['widget/index.ts'];

export default defineConfig({
  // The package contains its dependencies in their production form.
  define: { 'process.env.NODE_ENV': '"production"' },
  publicDir: false,
  plugins: [
    elementOnServer(),
    widgetZod(),
    widgetLiterals(),
    widgetMinify(),
    elementPackage(),
    npmPackage({
      readme: 'widget/package/README.md',
      manifest: {
        name: 'funding-application',
        description: 'Business funding application as one custom element, <funding-application>',
        keywords: [
          'business funding',
          'custom element',
          'form',
          'lit',
          'loan application',
          'web component',
        ],
        // Everything else only exports.
        sideEffects: [...['define', ...frameworks].map((name) => `./${name}.js`), './themes/*.css'],
        exports: toExports(),
        types: './index.d.ts',
        customElements: './custom-elements.json',
        'web-types': './web-types.json',
        // For their types. Some package managers hide packages that are not named here.
        peerDependencies: { '@types/react': '*', svelte: '*', vue: '*' },
        peerDependenciesMeta: {
          '@types/react': { optional: true },
          svelte: { optional: true },
          vue: { optional: true },
        },
      },
    }),
  ],
  build: {
    lib: {
      entry: {
        ...Object.fromEntries(entryNames.map((name) => [name, `widget/package/${name}.ts`])),
        ...lazyEntries,
      },
      formats: ['es'],
    },
    outDir: join(packagesFolder, 'element'),
    emptyOutDir: true,
    target: 'es2022',
    reportCompressedSize: false,
    rolldownOptions: toRolldownOptions(entryNames, firstModules),
  },
});
