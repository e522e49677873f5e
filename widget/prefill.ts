// Converts the answers that the host page already knows to answers of the form.

import type { Draft } from './app/draft.ts';
import { formSteps, toFieldPaths } from './app/steps.ts';
import { tellDeveloper } from './tell-developer.ts';

/** A US address. */
export interface AddressPrefill {
  readonly street?: string;
  readonly city?: string;
  /** Two letters, for example `PA`. */
  readonly state?: string;
  readonly zip?: string;
}

/** Answers that the host page already knows. All are optional. Numbers can be given as strings. */
export interface FundingPrefill {
  readonly fundingNeed?: {
    /** In whole US dollars. */
    readonly amount?: number | string;
    /** A `value` of the configuration's `fundingReasons`. */
    readonly reason?: string;
  };
  readonly business?: {
    readonly name?: string;
    /** A `value` of the configuration's `businessTypes`. */
    readonly type?: string;
    /** One of the 67 names in `shared/application/industries.ts`. */
    readonly industry?: string;
    /** The employer identification number (EIN): 9 digits, with or without a hyphen. */
    readonly taxId?: string;
    readonly address?: AddressPrefill;
    /** In whole US dollars. */
    readonly annualRevenue?: number | string;
    /** 1 to 12. */
    readonly foundedMonth?: number | string;
    /** 1 to 31. */
    readonly foundedDay?: number | string;
    /** Four digits. */
    readonly foundedYear?: number | string;
    /** The number of employees. */
    readonly employees?: number | string;
  };
  readonly owner?: {
    readonly firstName?: string;
    readonly lastName?: string;
    readonly email?: string;
    /** A US phone number. */
    readonly phone?: string;
    readonly homeAddress?: AddressPrefill;
    /** Whether the home address is the address of the business. */
    readonly homeSameAsBusiness?: boolean;
    readonly birthDate?: {
      /** 1 to 12. */
      readonly month?: number | string;
      /** 1 to 31. */
      readonly day?: number | string;
      /** Four digits. */
      readonly year?: number | string;
    };
    /** The Social Security number: 9 digits, with or without hyphens. */
    readonly ssn?: string;
    /** A `value` of the configuration's `creditScores`. */
    readonly creditScore?: string;
    /** 0 to 100. */
    readonly ownershipPercent?: number | string;
    /** Whether the business has other owners or managers. */
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
