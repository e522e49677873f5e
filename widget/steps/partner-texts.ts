// In which language the partner's own texts are, which come with the configuration.

import { nothing } from 'lit';
import type { StepContext } from './step-context.ts';

/** For the `lang` of what holds them (WCAG 2.2, 3.1.2): a switch of language may be without a new configuration yet, or fail to get one. */
export function toPartnerLanguage({
  configuration,
}: Pick<StepContext, 'configuration'>): string | typeof nothing {
  return configuration.locale ?? nothing;
}
