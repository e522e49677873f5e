// What the host page knows already about its customer, as answers of the form.

import type { Draft } from './flow/draft.ts';
import { formSteps, toFieldPaths } from './flow/steps.ts';
import { tellDeveloper } from './tell-developer.ts';

export interface AddressPrefill {
  readonly street?: string;
  readonly city?: string;
  /** Its two letters. */
  readonly state?: string;
  readonly zip?: string;
}

/**
 * Everything an applicant types may be prefilled, and nothing else: consents and the signature are the applicant's own.
 * Fields are shown as if they had been typed, and checked as such; lists take the values of the BFF's configuration.
 */
export interface FundingPrefill {
  readonly fundingNeed?: {
    /** In whole US dollars. */
    readonly amount?: number | string;
    readonly reason?: string;
  };
  readonly business?: {
    readonly name?: string;
    readonly type?: string;
    readonly industry?: string;
    /** The EIN. */
    readonly taxId?: string;
    readonly address?: AddressPrefill;
    readonly annualRevenue?: number | string;
    /** 1 to 12. */
    readonly foundedMonth?: number | string;
    readonly foundedDay?: number | string;
    readonly foundedYear?: number | string;
    readonly employees?: number | string;
  };
  readonly owner?: {
    readonly firstName?: string;
    readonly lastName?: string;
    readonly email?: string;
    readonly phone?: string;
    readonly homeAddress?: AddressPrefill;
    readonly homeSameAsBusiness?: boolean;
    readonly birthDate?: {
      readonly month?: number | string;
      readonly day?: number | string;
      readonly year?: number | string;
    };
    readonly ssn?: string;
    readonly creditScore?: string;
    readonly ownershipPercent?: number | string;
    readonly otherManagers?: boolean;
  };
}

/** What stands for a tick, and for none. */
const choices = new Map<string, readonly [string, string]>([
  ['owner/homeSameAsBusiness', ['yes', '']],
  ['owner/otherManagers', ['yes', 'no']],
]);
const texts = new Set(
  formSteps
    .filter((step) => step !== 'review')
    .flatMap((step) => toFieldPaths(step, {}))
    .flatMap((path) =>
      path === 'owner/birthDate' ? ['month', 'day', 'year'].map((part) => `${path}/${part}`) : path,
    )
    .filter((path) => !choices.has(path)),
);

/**
 * As answers of the form. What it has no place for, or not for a value of that type, is told to the developer by its name.
 *
 * @param prefill of a host page that may have no types.
 */
export function toPrefilledDraft(prefill: unknown): Draft {
  const draft: Record<string, string> = {};
  const unusable: string[] = [];
  const take = (value: unknown, path: string): void => {
    const choice = choices.get(path);
    if (value === undefined || value === null) return;
    if (choice && typeof value === 'boolean') draft[path] = choice[value ? 0 : 1];
    else if (texts.has(path) && (typeof value === 'string' || Number.isFinite(value)))
      draft[path] = String(value);
    else if (isGroup(path) && typeof value === 'object') {
      const prefix = path === '' ? '' : `${path}/`;
      for (const [name, inner] of Object.entries(value)) take(inner, `${prefix}${name}`);
    } else unusable.push(path);
  };
  take(prefill, '');
  if (unusable.length > 0) tellDeveloper(`"prefill" has no place for ${unusable.join(', ')}`);
  return draft;
}

function isGroup(path: string): boolean {
  return path === '' || [...texts].some((text) => text.startsWith(`${path}/`));
}
