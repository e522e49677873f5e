// Holds the types that travel with the built element to the classes they describe: what differs, `tsc` refuses in this file.

import type { LitElement } from 'lit';
import { describe, expectTypeOf, it } from 'vitest';
import type * as events from '../../../widget/events.ts';
import type { FundingApplication } from '../../../widget/funding-application.ts';
import type { FundingError } from '../../../widget/funding-error.ts';
import type { FundingMessages } from '../../../widget/language.ts';
import type { FundingPrefill } from '../../../widget/prefill.ts';
import type { FundingSettings } from '../../../widget/settings.ts';
import type * as types from '../../../widget/public-types/element.ts';

/** The part that is ours. */
type Own = Omit<FundingApplication, Exclude<keyof LitElement, 'focus'>>;
type Described = Omit<types.FundingApplication, Exclude<keyof HTMLElement, 'focus'>>;

interface EventClass {
  readonly eventName: string;
  readonly prototype: Event;
}
type EventClasses = Extract<(typeof events)[keyof typeof events], EventClass>;
/** The events by name, as the classes have them. */
type Events = { [Class in EventClasses as Class['eventName']]: Class['prototype'] };

describe('the types of the built element', () => {
  it('have its properties and methods, no more and no less', () => {
    expectTypeOf<keyof Described>().toEqualTypeOf<keyof Own>();
    expectTypeOf<Omit<Described, 'messages'>>().toEqualTypeOf<Omit<Own, 'messages'>>();
  });

  it('have its events with their values, no more and no less', () => {
    expectTypeOf<keyof types.FundingEventMap>().toEqualTypeOf<keyof Events>();
    expectTypeOf<types.FundingEventMap>().toEqualTypeOf<Events>();
  });

  it('take the sentences of a page under any name, since only the element knows which it has', () => {
    expectTypeOf<FundingMessages>().toExtend<types.FundingMessages>();
    expectTypeOf<types.FundingMessages>().toExtend<FundingMessages>();
  });

  it('have what its properties take and its methods reject with', () => {
    expectTypeOf<types.FundingPrefill>().toEqualTypeOf<FundingPrefill>();
    expectTypeOf<types.FundingSettings>().toEqualTypeOf<FundingSettings>();
    expectTypeOf<types.FundingError>().toEqualTypeOf<FundingError>();
  });

  it('name the element for pages that look it up', () => {
    expectTypeOf<keyof types.FundingTagNameMap>().toEqualTypeOf<
      Extract<keyof HTMLElementTagNameMap, `funding-${string}`>
    >();
  });
});
