// Types for Vue 3.4 and later, for templates and `h()`. Importing this module also registers the element.
//
//   import 'funding-application/vue';
//
//   <funding-application bff-url="https://apply.partner.example" @funding-submitted="({ reference }) => …" />
//
// Vue's compiler needs to know that the tag is not a component: `isCustomElement: (tag) => tag === 'funding-application'`.

import type { EmitFn, HTMLAttributes, VNodeProps } from 'vue';
import type { FundingApplication, FundingApplicationProps, FundingEventMap } from './index.js';

export * from './define.js';

/** The listeners of the element's events, as Vue's templates name them. */
export type FundingApplicationEmits = {
  [Name in keyof FundingEventMap]: (event: FundingEventMap[Name]) => void;
};

/** The props of `<funding-application>` in a template: those of every HTML element, and its own. */
export interface FundingApplicationVueProps
  extends HTMLAttributes, VNodeProps, FundingApplicationProps {
  /** `bff-url` in a template. Vue's checker converts its name to camel case. */
  bffUrl?: FundingApplicationProps['bff-url'];
  /** `heading-level` in a template. */
  headingLevel?: FundingApplicationProps['heading-level'];
}

/** `<funding-application>` in a template, in the form that Vue's guide to custom elements describes. */
export type FundingApplicationComponent = new () => FundingApplication & {
  /**
   * The props of a template.
   *
   * @deprecated Exists only for type checking.
   */
  $props: FundingApplicationVueProps;
  /**
   * The listeners of a template.
   *
   * @deprecated Exists only for type checking.
   */
  $emit: EmitFn<FundingApplicationEmits>;
};

declare module 'vue' {
  interface GlobalComponents {
    'funding-application': FundingApplicationComponent;
  }
}
