// The lazy-loaded chunk of the phone's page in a handoff: it connects the phone, then shows the documents step.

import { nothing } from 'lit';
import type { AfterChunk, FeatureEnvironment } from '../app/feature.ts';
import { documentsStyles } from '../documents/documents.styles.ts';
import { createDocuments } from '../documents/documents.ts';
import { createPhone } from '../handoff/phone.ts';
import { phoneStyles } from '../handoff/phone.styles.ts';
import documentsMessages from '../i18n/en-after.json' with { type: 'json' };
import phoneMessages from '../i18n/en-phone.json' with { type: 'json' };

export const messages = { ...documentsMessages, ...phoneMessages };

export const styles = [documentsStyles, phoneStyles];

/** Nothing of the desktop is on this page: no answers, no offers, and no way to close the application. */
export function createAfterChunk(environment: FeatureEnvironment): AfterChunk {
  const documents = createDocuments(environment, { isPhone: true });
  return {
    features: [createPhone(environment, documents.steps?.documents), documents],
    sendBankReport: async () => ({ ok: false, code: 'application-missing', errors: [] }),
    renderFooter: () => nothing,
    renderSteps: () => nothing,
    renderClosed: () => nothing,
  };
}
