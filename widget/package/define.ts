// The entry `./define` of the npm package: registers <funding-application>, and exports the same as the entry `.`.

import { warnDeveloper } from '../app/warn-developer.ts';
import { FundingApplication, tagName } from './index.ts';

// A server that renders the host page has no custom elements.
if (globalThis.customElements) {
  // A browser refuses to register a name twice. The script of the BFF has no room for this message.
  if (customElements.get(tagName))
    warnDeveloper('The page loads the element twice. Remove one copy.');
  else customElements.define(tagName, FundingApplication);
}

export * from './index.ts';
