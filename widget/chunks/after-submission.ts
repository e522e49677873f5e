// The lazy-loaded chunk of the steps after the submission: the record, documents, bank connection, and offers.

import { html } from 'lit';
import type { AfterChunk, Feature, FeatureEnvironment } from '../app/feature.ts';
import { bankStyles, createBank } from '../bank/bank.ts';
import { contactStyles, createContact } from '../contact/contact.ts';
import { documentsStyles } from '../documents/documents.styles.ts';
import { createDocuments } from '../documents/documents.ts';
import { createHandoff, handoffBlockStyles } from '../handoff/handoff.ts';
import messages from '../i18n/en-after.json' with { type: 'json' };
import { offersStyles } from '../offers/offers.styles.ts';
import { createOffers } from '../offers/offers.ts';
import { renderFinish, renderFinished } from '../record/finish.ts';
import { renderLaterSteps } from '../record/later-steps.ts';
import { recordStyles } from '../record/record.styles.ts';
import { createRecord } from '../record/record.ts';

export { messages };

export const styles = [
  recordStyles,
  documentsStyles,
  handoffBlockStyles,
  bankStyles,
  offersStyles,
  contactStyles,
];

export function createAfterChunk(environment: FeatureEnvironment): AfterChunk {
  const bank = createBank(environment);
  const contact = createContact(environment);
  const offers = createOffers(environment);
  const handoff = createHandoff(environment);
  const offersStep = offers.steps?.offers;
  const features: readonly Feature[] = [
    createRecord(environment),
    createDocuments(environment, { renderOtherWay: handoff.renderBlock }),
    handoff,
    bank,
    contact,
    {
      ...offers,
      steps: offersStep && {
        offers: {
          ...offersStep,
          render: (context) => html`${offersStep.render(context)} ${contact.render(context)}`,
        },
      },
    },
  ];
  return {
    features,
    sendBankReport: (report) => bank.send(report),
    renderSteps: renderLaterSteps,
    renderFooter: renderFinish,
    renderClosed: renderFinished,
  };
}
