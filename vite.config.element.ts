// Builds the npm package of the element: dist/packages/element, and its tarball beside it. A part of the release only.
import { join } from 'node:path';
import { defineConfig } from 'vite';
import {
  elementOnServer,
  elementPackage,
  frameworks,
  shrink,
  toExports,
} from './scripts/release/element.mjs';
import { packagesFolder } from './scripts/project.mjs';
import { collectPackages, npmPackage } from './scripts/release/packages.mjs';
import { entries, toRolldownOptions, widgetPlugins } from './scripts/widget.mjs';

const entryNames = ['index', 'define'];
const { 'funding-application': _, ...lazyEntries } = entries;
const packages = collectPackages();

export default defineConfig({
  // The package contains its dependencies in their production form.
  define: { 'process.env.NODE_ENV': '"production"' },
  publicDir: false,
  plugins: [
    elementOnServer(),
    widgetPlugins(shrink),
    elementPackage(),
    packages.plugin,
    npmPackage({
      packages,
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
    rolldownOptions: toRolldownOptions(entryNames, ['widget/index.ts']),
  },
});
