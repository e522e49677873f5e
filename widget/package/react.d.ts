// Types for React 19, whose JSX sets attributes, properties, and listeners of custom elements. Importing this module also registers the
// element.
//
//   import 'funding-application/react';
//
//   <funding-application bff-url="https://apply.partner.example" onfunding-submitted={({ reference }) => …} />

import type { ClassAttributes, HTMLAttributes } from 'react';
import type {
  FundingApplication,
  FundingApplicationListeners,
  FundingApplicationProps,
  FundingCssProperties,
} from './index.js';

export * from './define.js';

/** The props of `<funding-application>` in JSX: those of every HTML element, and its own. */
export interface FundingApplicationJsxProps
  extends
    HTMLAttributes<FundingApplication>,
    ClassAttributes<FundingApplication>,
    FundingApplicationProps,
    FundingApplicationListeners {}

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      'funding-application': FundingApplicationJsxProps;
    }
  }
  interface CSSProperties extends FundingCssProperties {}
}
