// What can be given to an application once it is sent, and the offers: each with a life of its own, and none needed before that.

import type { Configuration } from '../../shared/api/configuration.ts';
import type { FundingApi } from '../api/funding-api.ts';
import { BankConnection } from './bank-connection.ts';
import { ContactChange } from './contact-change.ts';
import { DocumentQueue, type DocumentNews } from './document-queue.ts';
import type { FlowEvent } from './flow-event.ts';
import { nothingGiven, type Given } from './given.ts';
import { OffersWatch } from './offers-watch.ts';
import type { PollingEnvironment } from '../app/polling.ts';

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
}

/** One for each application. */
export class FlowParts {
  readonly documents: DocumentQueue;
  readonly offers: OffersWatch;
  readonly bank: BankConnection;
  readonly contact: ContactChange;
  readonly #configuration: Configuration;
  readonly #options: FlowPartsOptions;

  /**
   * @param given with what the BFF already has it begins.
   * @param documents with the files in hand of an application before it.
   */
  constructor(
    configuration: Configuration,
    given: Given,
    options: FlowPartsOptions,
    documents?: DocumentQueue,
  ) {
    const { api, polling, onChange, onGiven, onDocumentNews, onEvent } = options;
    this.#configuration = configuration;
    this.#options = options;
    this.bank = new BankConnection({ api, polling, onChange, onGiven });
    this.bank.take(given.assetReport);
    this.contact = new ContactChange(api, onChange, onGiven);
    this.contact.take(given.contact);
    this.offers = new OffersWatch(options);
    this.documents =
      documents ??
      new DocumentQueue({
        api,
        polling,
        limits: configuration.documents,
        sent: given.documents,
        onStatus: ({ number, category, status }) =>
          onEvent?.({ kind: 'document', number, category, status }),
        onChange: (news) => {
          onChange();
          if (news) onDocumentNews(news);
          if (news?.kind === 'done' || news?.kind === 'received') onGiven();
        },
      });
  }

  get hasGiven(): boolean {
    return this.documents.sent.length > 0 || this.bank.status !== undefined;
  }

  /** What was given to a refused application is refused with it; only files in hand go over to the next one. */
  renew(): FlowParts {
    this.stop();
    this.documents.forgetSent();
    return new FlowParts(this.#configuration, nothingGiven, this.#options, this.documents);
  }

  /** The application is over, or its session. */
  stop(): void {
    this.offers.stop();
    this.bank.stop();
  }

  /** Takes over what has become of everything given; true while some of it is still being passed on. */
  take(given: Given): boolean {
    const { documents, bank, contact } = this;
    documents.takeSent(given.documents);
    bank.take(given.assetReport);
    contact.take(given.contact);
    const states = [...documents.sent, bank.status].map((one) => one?.status);
    return [...states, contact.state].includes('received');
  }
}
