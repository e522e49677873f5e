// Vite plugin: minifies the widget's files. Terser makes the output of Vite's own minifier 1.2 KiB (Brotli) smaller.
import { minify } from 'terser';
import { minifySync } from 'vite';
import { firstChunk } from './widget-chunks.mjs';

/**
 * Chromium compiles all functions of this file while it downloads, in another thread. By default, it compiles each one when it is
 * called first, and most functions of the first file are called before the first field shows.
 * https://v8.dev/blog/explicit-compile-hints
 */
const compileHint = '//# allFunctionsCalledOnLoad\n';

/** @returns {import('vite').Plugin} */
export function widgetMinify() {
  return {
    name: 'widget-minify',
    apply: 'build',
    renderChunk: async (code, { fileName, name }) => ({
      code: (name === firstChunk ? compileHint : '') + (await minifyModule(code, fileName)),
      map: null,
    }),
  };
}

/** @param {string} source @param {string} file */
export async function minifyModule(source, file = 'module.js') {
  const { code, errors } = minifySync(file, source, {
    module: true,
    compress: { target: 'es2022' },
  });
  if (errors.length > 0) throw new Error(`${file} can't be minified: ${errors[0].message}`);
  const minified = await minify(code, {
    module: true,
    ecma: 2022,
    compress: { passes: 3, keep_fargs: false },
    format: { comments: false },
  });
  return minified.code ?? code;
}
