// What of the answers may stay in the browser, so that a reload loses none of them, and where it stays.

import { addressParts, honeypotPath, type Draft } from '../app/draft.ts';
import type { FlowState } from './state.ts';
import { formSteps, isFormStep, type FormStepId } from '../app/steps.ts';

/** What an earlier page has kept. */
export interface KeptDraft {
  readonly step: FormStepId;
  /** Whether Continue leads from it straight back to the review. */
  readonly returnsToReview: boolean;
  readonly answers: Draft;
  /** Paths of what was given as well and is never kept: it has to be given again. */
  readonly omitted: readonly string[];
  /** Whether the application had been filed when this was written. */
  readonly isSent: boolean;
}

/** Keeps the answers of one form. It never throws: where nothing can be kept, there is nothing. */
export interface DraftStore {
  read(): KeptDraft | undefined;
  /** Replaces what was kept; without answers nothing stays. False when it cannot be kept. */
  write(kept: KeptDraft): boolean;
  erase(): void;
}

/** Entries of another version are taken for none. */
const version = 1;

/** Everything else stays out: a field that is added later is not kept before somebody has thought about it. */
const keptPaths: ReadonlySet<string> = new Set([
  'fundingNeed/amount',
  'fundingNeed/reason',
  'business/name',
  'business/type',
  'business/industry',
  'business/annualRevenue',
  'business/foundedMonth',
  'business/foundedDay',
  'business/foundedYear',
  'business/employees',
  'owner/firstName',
  'owner/lastName',
  'owner/email',
  'owner/phone',
  'owner/homeSameAsBusiness',
  'owner/creditScore',
  'owner/ownershipPercent',
  'owner/otherManagers',
  ...addressParts.flatMap((part) => [`business/address/${part}`, `owner/homeAddress/${part}`]),
]);

/** What may be kept of a form. After the submission it is the review that an applicant may come back to. */
export function toKeptDraft(state: FlowState): KeptDraft {
  const { step, returnsToReview, draft, restored, application } = state;
  const answers: Record<string, string> = {};
  const omitted = new Set(restored?.omitted);
  for (const [path, value] of Object.entries(draft)) {
    if (keptPaths.has(path)) answers[path] = value;
    else if (value !== '' && path !== honeypotPath) omitted.add(path);
  }
  return {
    step: isFormStep(step) ? step : step === 'start' ? 'funding-need' : 'review',
    returnsToReview,
    answers,
    omitted: [...omitted],
    isSent: application !== undefined,
  };
}

/**
 * @param open answers the storage; it may throw, since browsers refuse storage in several ways.
 * @param key of this form alone.
 */
export function createDraftStore(open: () => Storage, key: string): DraftStore {
  const erase = () => attempt(() => open().removeItem(key));
  return {
    read: () => attempt(() => parseKept(open().getItem(key))),
    write: (kept) =>
      attempt(() => {
        if (hasAnswers(kept)) open().setItem(key, JSON.stringify({ version, ...kept }));
        else open().removeItem(key);
        return true;
      }) ?? false,
    erase,
  };
}

/** Keeps one word that the applicant chose. It never throws either. */
export interface ChoiceStore {
  read(): string | undefined;
  write(choice: string | undefined): void;
}

/** As `createDraftStore`. */
export function createChoiceStore(open: () => Storage, key: string): ChoiceStore {
  return {
    read: () => attempt(() => open().getItem(key)) ?? undefined,
    write: (choice) =>
      attempt(() => (choice === undefined ? open().removeItem(key) : open().setItem(key, choice))),
  };
}

/** The key of an element's own entry, the same after a reload. */
export function toDraftKey(element: Element, bffOrigin: string): string {
  return `funding-application ${bffOrigin} ${toPlace(element)}`;
}

/** By its `id`, or by its place among its like; in a shadow root after the place of each element around it. */
function toPlace(element: Element): string {
  const root = element.getRootNode();
  const isInner = root instanceof ShadowRoot;
  const like = isInner || root instanceof Document ? root : document;
  const place = element.id || [...like.querySelectorAll(element.localName)].indexOf(element);
  return isInner ? `${root.host.localName} ${toPlace(root.host)} ${place}` : `${place}`;
}

/** What was written may be of another version, or of somebody else. */
function parseKept(text: string | null): KeptDraft | undefined {
  const entry: unknown = JSON.parse(text ?? 'null');
  if (!isRecord(entry) || entry['version'] !== version) return undefined;
  const step = formSteps.find((id) => id === entry['step']);
  if (!step || !isRecord(entry['answers'])) return undefined;
  const answers = Object.entries(entry['answers']).filter(
    (answer): answer is [string, string] =>
      keptPaths.has(answer[0]) && typeof answer[1] === 'string',
  );
  const omitted: unknown = entry['omitted'];
  return {
    step,
    returnsToReview: entry['returnsToReview'] === true,
    answers: Object.fromEntries(answers),
    omitted: Array.isArray(omitted) ? omitted.map(String) : [],
    isSent: entry['isSent'] === true,
  };
}

function hasAnswers({ answers, omitted }: KeptDraft): boolean {
  return omitted.length > 0 || Object.values(answers).some((value) => value !== '');
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

/** A refused or full storage and a text that is no JSON come to the same: nothing is kept. */
function attempt<Value>(act: () => Value): Value | undefined {
  try {
    return act();
  } catch {
    return undefined;
  }
}
