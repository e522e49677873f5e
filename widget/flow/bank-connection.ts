// Where the bank connection stands: the applicant's choices at the demonstration bank, and the report on its way.

import type { AssetReportStatus } from '../../shared/api/documents.ts';
import type { FailureCode, FundingApi, Result } from '../api/api.ts';

export class BankConnection {
  /** Whether the list of banks is open. */
  isOpen = false;
  isSending = false;
  /** Where the last report stands; undefined when none was sent. */
  status: AssetReportStatus | undefined;
  problem: FailureCode | undefined;
  institution = '';
  accounts: ReadonlySet<string> = new Set();
  /** Asked to share before something needed was chosen. */
  lacks: { readonly institution: boolean; readonly accounts: boolean } = {
    institution: false,
    accounts: false,
  };
  readonly #api: FundingApi;
  readonly #onChange: () => void;

  constructor(api: FundingApi, onChange: () => void) {
    this.#api = api;
    this.#onChange = onChange;
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

  async send(report: unknown): Promise<Result<AssetReportStatus>> {
    if (this.isSending) return { ok: false, code: 'application-pending', errors: [] };
    this.isSending = true;
    this.problem = undefined;
    this.#onChange();
    const result = await this.#api.submitAssetReport(report);
    this.isSending = false;
    if (result.ok) {
      this.status = result.value;
      this.isOpen = false;
    } else {
      this.problem = result.code;
    }
    this.#onChange();
    return result;
  }
}
