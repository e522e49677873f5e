// Vite plugin: lets a server import the element, which then does nothing.
import { join } from 'node:path';
import { root } from './project.mjs';

const bffOrigin = join(root, 'widget', 'package', 'bff-origin.ts');
const noDom = '\0no-dom';

/**
 * Lit's files for Node take `HTMLElement` from the page, and from a stand-in on a server. This plugin replaces the stand-in, which
 * would add `customElements` to the server's globals, by an empty class.
 *
 * @returns {import('vite').Plugin}
 */
export function elementOnServer() {
  return {
    name: 'element-on-server',
    apply: 'build',
    enforce: 'pre',
    // Without `browser`, so that the packages of Lit resolve to `node`. No other bundled package has either condition.
    config: () => ({ resolve: { conditions: ['node', 'module'] } }),
    resolveId: {
      filter: { id: /^@lit-labs\/ssr-dom-shim$|\/bff-origin\.ts$/ },
      handler: (id) => (id.startsWith('@') ? noDom : bffOrigin),
    },
    load: {
      filter: { id: /^\0no-dom$/ },
      handler: () =>
        'export const HTMLElement = class {};\nexport const customElements = undefined;\n',
    },
    transform: {
      filter: { id: /@lit\/reactive-element\/node\/reactive-element\.js$/ },
      handler: (source) => ({ code: withoutRegistry(source), map: null }),
    },
  };
}

/** @param {string} source */
function withoutRegistry(source) {
  const assignment = /\b\w+\.customElements\?\?=\w+;/;
  if (!assignment.test(source))
    throw new Error(
      'Lit sets customElements in another way than before. Change scripts/package-server.mjs.',
    );
  return source.replace(assignment, '');
}
