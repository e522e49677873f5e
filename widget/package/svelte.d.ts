// Types for Svelte 5. Importing this module also registers the element.
//
//   import 'funding-application/svelte';
//
//   <funding-application bff-url="https://apply.partner.example" onfunding-submitted={({ reference }) => …}></funding-application>

import type { HTMLAttributes } from 'svelte/elements';
import type {
  FundingApplication,
  FundingApplicationListeners,
  FundingApplicationProps,
} from './index.js';

export * from './define.js';

/** The attributes of `<funding-application>` in a Svelte template: those of every HTML element, and its own. */
export interface FundingApplicationSvelteAttributes
  extends
    HTMLAttributes<FundingApplication>,
    FundingApplicationProps,
    FundingApplicationListeners {}

declare module 'svelte/elements' {
  interface SvelteHTMLElements {
    'funding-application': FundingApplicationSvelteAttributes;
  }
}
