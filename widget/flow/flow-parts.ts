// The parts of an application that have a life of their own; made once the configuration has arrived.

import type { Configuration } from '../../shared/api/configuration.ts';
import type { Session } from '../../shared/api/session.ts';
import type { FundingApi } from '../api/api.ts';
import { BankConnection } from './bank-connection.ts';
import { ContactChange } from './contact-change.ts';
import { DocumentQueue, type DocumentNews } from './document-queue.ts';
import { OffersWatch } from './offers-watch.ts';
import type { PollingEnvironment } from './polling.ts';
import { createStepValidation, type ValidateStep } from './validation.ts';

export interface FlowParts {
  readonly documents: DocumentQueue;
  readonly offers: OffersWatch;
  readonly bank: BankConnection;
  readonly contact: ContactChange;
  readonly validate: ValidateStep;
}

/** What has been given to the application so far, besides its answers. */
export type Given = Pick<Session, 'documents' | 'assetReport'>;

/** What is worth saying aloud. */
export interface FlowPartsListener {
  readonly onDocumentNews: (news: DocumentNews) => void;
}

export interface FlowPartsOptions extends FlowPartsListener {
  readonly api: FundingApi;
  readonly polling: PollingEnvironment;
  readonly now: () => Date;
  /** Something that is shown has changed. */
  readonly onChange: () => void;
  /** A document or report has arrived at the BFF, and is now passed on. */
  readonly onGiven: () => void;
}

/** Begins with what the BFF already has of documents and bank report. */
export function createFlowParts(
  configuration: Configuration,
  given: Given,
  { api, polling, now, onChange, onGiven, onDocumentNews }: FlowPartsOptions,
): FlowParts {
  const bank = new BankConnection(api, onChange, onGiven);
  bank.take(given.assetReport);
  return {
    bank,
    validate: createStepValidation(configuration, now),
    contact: new ContactChange(api, onChange),
    documents: new DocumentQueue({
      api,
      limits: configuration.documents,
      sent: given.documents,
      onChange: (news) => {
        onChange();
        if (news) onDocumentNews(news);
        if (news?.kind === 'done' || news?.kind === 'received') onGiven();
      },
    }),
    offers: new OffersWatch({ api, polling, onChange }),
  };
}
