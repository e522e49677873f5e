// The parts that follow the submission come with its steps; until then this holds what they will begin with.

import type { BankReportStatus } from '../../shared/api/attachments.ts';
import type { Configuration } from '../../shared/api/configuration.ts';
import type { Result } from '../api/funding-api.ts';
import type { FlowParts, FlowPartsOptions } from './flow-parts.ts';
import { nothingGiven, toGiven, type Given } from './given.ts';

export class LateParts {
  /** Undefined until they are loaded, and while there is no form. */
  loaded: FlowParts | undefined;
  readonly #options: FlowPartsOptions;
  #Parts: typeof FlowParts | undefined;
  #configuration: Configuration | undefined;
  #given = nothingGiven;

  constructor(options: FlowPartsOptions) {
    this.#options = options;
  }

  /** They are there. */
  equip(Parts: typeof FlowParts): void {
    this.#Parts = Parts;
    this.#create();
  }

  /** @param given undefined while nobody knows. */
  begin(configuration: Configuration, given: Given | undefined): void {
    this.#configuration = configuration;
    this.#given = toGiven(given);
    this.#create();
  }

  /** The next application begins; answers whether something had been given to the last one on this page. */
  renew(): boolean {
    const before = this.loaded?.hasGiven === true;
    this.#given = nothingGiven;
    this.loaded = this.loaded?.renew();
    return before;
  }

  /** The session has ended; files in hand are given up, also those that were added while it did. */
  forget(): void {
    this.loaded?.stop();
    this.loaded?.documents.cancelAll();
    this.loaded = undefined;
    this.#configuration = undefined;
  }

  async sendReport(report: unknown): Promise<Result<BankReportStatus>> {
    if (this.loaded) return this.loaded.bank.send(report);
    // Without them there is no way to send it.
    const code = this.#configuration ? 'network' : 'application-missing';
    return { ok: false, code, errors: [] };
  }

  #create(): void {
    const Parts = this.#Parts;
    const configuration = this.#configuration;
    this.loaded = Parts && configuration && new Parts(configuration, this.#given, this.#options);
  }
}
