// Where the bank connection stands: the applicant's choices at the demonstration bank, and the report on its way.

import type { BankReportStatus } from '../../shared/api/attachments.ts';
import type { FailureCode, FundingApi, Result } from '../api/funding-api.ts';
import type { PollingEnvironment } from '../app/polling.ts';
import { createRetry, type RetryWhileBusy } from '../app/retry.ts';

/** At most one list of banks and one report under way. */
export class BankConnection {
  /** Whether the list of banks is open. */
  isOpen = false;
  isSending = false;
  /** Where the last report stands; undefined when none was sent. */
  status: BankReportStatus | undefined;
  problem: FailureCode | undefined;
  /** When sending it again may help, where the BFF said so. */
  retryAfterMs: number | undefined;
  institution = '';
  accounts: ReadonlySet<string> = new Set();
  /** Asked to share before something needed was chosen. */
  lacks: { readonly institution: boolean; readonly accounts: boolean } = {
    institution: false,
    accounts: false,
  };
  #sending: Promise<unknown> | undefined;
  readonly #abort = new AbortController();
  readonly #api: Pick<FundingApi, 'submitAssetReport'>;
  readonly #sendPatiently: RetryWhileBusy;
  readonly #onChange: () => void;
  readonly #onGiven: () => void;

  constructor(options: {
    readonly api: Pick<FundingApi, 'submitAssetReport'>;
    readonly polling: PollingEnvironment;
    readonly onChange: () => void;
    /** Is told of every report that has arrived at the BFF. */
    readonly onGiven: () => void;
  }) {
    this.#api = options.api;
    this.#sendPatiently = createRetry(options.polling);
    this.#onChange = options.onChange;
    this.#onGiven = options.onGiven;
  }

  /** Nothing is sent any more: the application it was for is over. */
  stop(): void {
    this.#abort.abort();
  }

  /** Takes over where an earlier report stands now. */
  take(status: BankReportStatus | null): void {
    if (!status) return;
    this.status = status;
    this.#onChange();
  }

  open(): void {
    this.isOpen = true;
    this.problem = undefined;
    this.#onChange();
  }

  close(): void {
    this.isOpen = false;
    this.lacks = { institution: false, accounts: false };
    this.#onChange();
  }

  chooseInstitution(name: string): void {
    this.institution = name;
    this.lacks = { ...this.lacks, institution: false };
    this.#onChange();
  }

  chooseAccount(id: string, isChosen: boolean): void {
    const accounts = new Set(this.accounts);
    if (isChosen) accounts.add(id);
    else accounts.delete(id);
    this.accounts = accounts;
    this.lacks = { ...this.lacks, accounts: false };
    this.#onChange();
  }

  /** Whether everything needed was chosen; marks what was not. */
  isComplete(): boolean {
    this.lacks = { institution: this.institution === '', accounts: this.accounts.size === 0 };
    this.#onChange();
    return !this.lacks.institution && !this.lacks.accounts;
  }

  /** Reports are sent one after the other. */
  async send(report: unknown): Promise<Result<BankReportStatus>> {
    const earlier = this.#sending;
    const sending = (async () => {
      await earlier;
      return this.#send(report);
    })();
    this.#sending = sending;
    return sending;
  }

  async #send(report: unknown): Promise<Result<BankReportStatus>> {
    const { signal } = this.#abort;
    if (signal.aborted) return { ok: false, code: 'application-missing', errors: [] };
    this.isSending = true;
    this.problem = undefined;
    this.#onChange();
    const send = () => this.#api.submitAssetReport(report);
    const result = await this.#sendPatiently(send, { signal });
    this.isSending = false;
    if (result.ok) {
      this.status = result.value;
      this.isOpen = false;
      this.#onGiven();
    } else {
      this.problem = result.code;
      this.retryAfterMs = result.retryAfterMs;
    }
    this.#onChange();
    return result;
  }
}
