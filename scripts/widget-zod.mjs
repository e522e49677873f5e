// Vite plugin: lets zod run on host pages whose scripts add enumerable members to `Object.prototype`.

/**
 * zod lists keys with `for in`, which includes inherited members. On such a page it would reject answers for unknown keys, or
 * throw while it creates its schemas. test/widget/hostile-page.browser.test.ts runs the built element on such a page.
 *
 * @returns {import('vite').Plugin}
 */
export function widgetZod() {
  return {
    name: 'widget-zod',
    apply: 'build',
    transform: {
      filter: { id: /\/zod\/v4\/core\/\w+\.js$/ },
      handler: (source) => ({ code: listOwnKeys(source), map: null }),
    },
  };
}

/** @param {string} source */
export function listOwnKeys(source) {
  return source.replaceAll(/\bfor \(const (\w+) in (\w+)\)/g, 'for (const $1 of Object.keys($2))');
}
