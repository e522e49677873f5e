// The parts of an application that have a life of their own; made once the configuration has arrived.

import type { Configuration } from '../../shared/api/configuration.ts';
import type { Session } from '../../shared/api/session.ts';
import type { FundingApi } from '../api/api.ts';
import { BankConnection } from './bank-connection.ts';
import { ContactChange } from './contact-change.ts';
import { DocumentQueue, type DocumentNews } from './document-queue.ts';
import type { FlowEvent } from './flow-event.ts';
import { OffersWatch } from './offers-watch.ts';
import type { PollingEnvironment } from './polling.ts';
import { SessionEnd } from './session-end.ts';
import { createStepValidation, type ValidateStep } from './validation.ts';

export interface FlowParts {
  readonly documents: DocumentQueue;
  readonly offers: OffersWatch;
  readonly bank: BankConnection;
  readonly contact: ContactChange;
  readonly end: SessionEnd;
  readonly validate: ValidateStep;
}

/** The application and what has been given to it so far. */
export type Given = Pick<Session, 'application' | 'documents' | 'assetReport' | 'contact'>;

export const nothingGiven: Given = {
  application: null,
  documents: [],
  assetReport: null,
  contact: null,
};

export interface FlowPartsListener {
  /** What is worth saying aloud. */
  readonly onDocumentNews: (news: DocumentNews) => void;
  /** What the host page may want to hear of. */
  readonly onEvent?: (event: FlowEvent) => void;
}

export interface FlowPartsOptions extends FlowPartsListener {
  readonly api: FundingApi;
  readonly polling: PollingEnvironment;
  readonly now: () => Date;
  /** Something that is shown has changed. */
  readonly onChange: () => void;
  /** A document, a report or a wish has arrived at the BFF, and is now passed on. */
  readonly onGiven: () => void;
  /** The session was ended at the applicant's wish. */
  readonly onEnded: () => void;
}

/** Begins with what the BFF already has. */
export function createFlowParts(
  configuration: Configuration,
  given: Given,
  { api, polling, now, onChange, onGiven, onEnded, onDocumentNews, onEvent }: FlowPartsOptions,
): FlowParts {
  // What was given to a refused application was refused with it, and is no part of the next one.
  const isRefused = given.application?.status === 'rejected';
  const { documents, assetReport, contact: wish } = isRefused ? nothingGiven : given;
  const bank = new BankConnection({ api, polling, onChange, onGiven });
  bank.take(assetReport);
  const contact = new ContactChange(api, onChange, onGiven);
  contact.take(wish);
  return {
    bank,
    validate: createStepValidation(configuration, now),
    contact,
    documents: new DocumentQueue({
      api,
      polling,
      now,
      limits: configuration.documents,
      sent: documents,
      onStatus: ({ number, category, status }) =>
        onEvent?.({ kind: 'document', number, category, status }),
      onChange: (news) => {
        onChange();
        if (news) onDocumentNews(news);
        if (news?.kind === 'done' || news?.kind === 'received') onGiven();
      },
    }),
    end: new SessionEnd(api, onChange, () => {
      bank.stop();
      onEnded();
    }),
    offers: new OffersWatch({ api, polling, now, onChange, onEvent }),
  };
}

export function hasGiven({ documents, bank }: FlowParts): boolean {
  return documents.sent.length > 0 || bank.status !== undefined;
}

/** What was given to a refused application is refused with it; only files in hand go over to the next one. */
export function renewParts(parts: FlowParts, fresh: FlowParts): FlowParts {
  parts.offers.stop();
  parts.bank.stop();
  parts.documents.forgetSent();
  return { ...fresh, documents: parts.documents };
}

/** From now on answers are checked by another configuration. */
export function checkedBy(
  configuration: Configuration,
  parts: FlowParts,
  now: () => Date,
): FlowParts {
  return { ...parts, validate: createStepValidation(configuration, now) };
}

/** False for the session of another application, which another tab may have begun. */
export function isGivenTo(application: Given['application'] | undefined, given: Given): boolean {
  return given.application?.reference === application?.reference;
}

/** Takes over what has become of everything given; true while some of it is still being passed on. */
export function takeGiven(parts: FlowParts, given: Given): boolean {
  parts.documents.takeSent(given.documents);
  parts.bank.take(given.assetReport);
  parts.contact.take(given.contact);
  const states = [...parts.documents.sent, parts.bank.status].map((one) => one?.status);
  return [...states, parts.contact.state].includes('received');
}
