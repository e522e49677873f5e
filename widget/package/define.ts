// The entry `./define` of the npm package: registers <funding-application>, and exports the same as the entry `.`.

import { FundingApplication, tagName } from './index.ts';

// A server that renders the host page has no custom elements. The page may contain another copy of the element.
if (globalThis.customElements && !customElements.get(tagName))
  customElements.define(tagName, FundingApplication);

export * from './index.ts';
