// Probes whose request the service should refuse: what it refuses with, and whether the BFF understands it.

import { createTextPatterns, type RefusalReason } from '../../bff/funding-service/failure-texts.ts';
import { compilePattern, type Settings } from '../../bff/config/settings.ts';
import {
  type Answer,
  classify,
  describeAnswer,
  isAccepted,
  nameValues,
  responseShapes,
} from '../answer.ts';
import { escapePattern } from '../mask.ts';
import type { Finding, Probe, SettingChange } from '../probe.ts';
import type { Session } from '../session.ts';

type PatternList = keyof Settings['serviceTexts'];

/** The conclusion that the BFF must draw. `field`: and name this lead field. */
export type Need =
  | { readonly kind: 'authentication'; readonly list?: PatternList }
  | {
      readonly kind: 'refused';
      readonly reasons: readonly RefusalReason[];
      readonly field?: string;
      /** The list of `serviceTexts` that recognizes such texts. */
      readonly list?: PatternList;
    };

export interface RefusalProbe extends Omit<Probe, 'run' | 'says'> {
  readonly says?: string;
  /** The text that the specification shows, in the documented field of the body. */
  readonly text?: string | ((session: Session) => string);
  /** True if the specification says that such a request fails. With `text`, it does. */
  readonly isRefusalSpecified?: boolean;
  readonly need?: Need;
  readonly send: (session: Session) => Promise<Answer>;
}

export function refusal(probe: RefusalProbe): Probe {
  const { id, title, section, text, isRefusalSpecified = false, need } = probe;
  const shown = typeof text === 'string' ? `Fails with “${text}”.` : 'Fails with a text.';
  const defaultSays = isRefusalSpecified
    ? 'Fails with a description. Its wording is not shown.'
    : 'Not shown.';
  return {
    id,
    title,
    section,
    says: probe.says ?? (text === undefined ? defaultSays : shown),
    async run(session) {
      const answer = await probe.send(session);
      const expected = typeof text === 'function' ? text(session) : text;
      const finding = toFinding(answer, session, {
        expected,
        isRefusalSpecified: isRefusalSpecified || expected !== undefined,
        need,
      });
      session.facts.messages[id] = toSignature(answer, session);
      return finding;
    },
  };
}

interface Expectation {
  readonly expected: string | undefined;
  readonly isRefusalSpecified: boolean;
  readonly need: Need | undefined;
}

function toFinding(answer: Answer, session: Session, expectation: Expectation): Finding {
  const { expected, isRefusalSpecified, need } = expectation;
  const did = describeAnswer(answer, session.mask.secrets);
  if (isAccepted(answer)) {
    return isRefusalSpecified
      ? { verdict: 'differs', did: `Accepted: ${did}`, advice: 'The service does not check this.' }
      : { verdict: 'known-now', did: `Accepted: ${did}` };
  }
  const treatment = need ? treat(answer, need, session) : {};
  const problems = [
    answer.response.status < 500 || !isRefusalSpecified ? undefined : 'a server error',
    isDocumentedForm(answer) ? undefined : 'not the documented form of a failure',
    expected === undefined || expected === answer.message ? undefined : 'another text',
  ].filter((problem) => problem !== undefined);
  if (isRefusalSpecified && problems.length > 0) {
    return { verdict: 'differs', did: `${did} (${problems.join(', ')})`, ...treatment };
  }
  return { verdict: expected === undefined ? 'known-now' : 'as-specified', did, ...treatment };
}

/** `IsSuccessful` (or `success`) is false, and the operation's own field has a message (spec, "Errors"). */
export function isDocumentedForm(answer: Answer): boolean {
  const { flag, message } = responseShapes[answer.operation];
  return (
    answer.form === 'object' &&
    answer.flag === false &&
    flag in answer.body &&
    typeof answer.body[message] === 'string'
  );
}

/** Tests whether the BFF classifies the answer as it must: with its own patterns, or with a setting for this text. */
export function treat(
  answer: Answer,
  need: Need,
  session: Session,
): Pick<Finding, 'bff' | 'settings' | 'advice'> {
  if (isMet(answer.outcome, need)) return { bff: 'handled' };
  const change = toPatternChange(answer, need);
  if (change) {
    const { list = 'duplicate' } = need;
    const current = session.settings.serviceTexts[list] ?? ['default'];
    const patterns = createTextPatterns({
      ...session.settings.serviceTexts,
      [list]: [...current, String(change.value)],
    });
    const { operation, sent } = answer;
    const context = { operation, patterns, now: session.clock(), sent };
    if (isMet(classify(answer.response, context), need)) {
      return { bff: 'handled-with-settings', settings: [change] };
    }
  }
  return { bff: 'not-handled', advice: explain(answer, need) };
}

function isMet(outcome: Answer['outcome'], need: Need): boolean {
  if (need.kind === 'authentication') return outcome.kind === 'authentication';
  if (outcome.kind !== 'refused' || !need.reasons.includes(outcome.refusal.reason)) return false;
  return need.field === undefined || outcome.refusal.field === need.field;
}

const treatments: Readonly<Record<Answer['outcome']['kind'], string>> = {
  accepted: 'takes it for a success',
  authentication: 'takes it for a refused token, and logs in again',
  refused: 'holds the row for an operator',
  throttled: 'waits, and sends it again',
  'not-sent': 'sends it again',
  unknown: 'cannot tell whether it was processed, and sends it again until an operator looks at it',
};

function explain(answer: Answer, need: Need): string {
  const treatment = `The BFF ${treatments[answer.outcome.kind]}.`;
  if (need.kind === 'refused' && need.field !== undefined && answer.message !== '') {
    const names = findName(answer.message, need.field) !== undefined;
    if (!names) return `${treatment} The text does not name the field ${need.field}.`;
    if (!isDocumentedForm(answer) || ![200, 400, 422].includes(answer.response.status)) {
      return `${treatment} It rejects an application only if IsSuccessful is false and the status is 2xx, 400, or 422.`;
    }
  }
  return treatment;
}

const maxPatternLength = 160;

/** A pattern for this text from its first word. Values that were sent, and numbers, match anything similar. */
export function toPatternChange(answer: Answer, need: Need): SettingChange | undefined {
  const { list } = need;
  const text = nameValues(answer).replace(/^error: ?/i, '');
  if (list === undefined || !/[a-z]{3}/i.test(text.replaceAll(/<\w+>/g, ''))) return undefined;
  let source = escapePattern(text)
    .replaceAll(/<\w+>/g, String.raw`.{1,200}?`)
    .replaceAll(/\d+/g, (digits, offset: number, whole: string) =>
      // The quantifiers above have digits too.
      /\{[\d,]*$/.test(whole.slice(Math.max(0, offset - 6), offset)) ? digits : String.raw`\d+`,
    );
  if (need.kind === 'refused' && need.field !== undefined) {
    const name = findName(source, escapePattern(need.field));
    if (name === undefined) return undefined;
    source = source.replace(name, () => String.raw`(?<field>[A-Za-z]+(?:\.[A-Za-z]+)?)`);
  }
  if (source.length > maxPatternLength) source = cutPattern(source);
  return { path: `serviceTexts.${list}`, value: `^${source}`, isPattern: true };
}

/** Cuts at a word, so that no escape or group is incomplete. */
function cutPattern(source: string): string {
  for (let end = maxPatternLength; end > 20; end -= 1) {
    if (source[end] !== ' ') continue;
    const part = source.slice(0, end);
    try {
      compilePattern(part);
      return part;
    } catch {
      continue;
    }
  }
  return source;
}

/** The exact name of a field, as the text spells it. */
function findName(text: string, field: string): string | undefined {
  const index = text.indexOf(field);
  return index < 0 ? undefined : text.slice(index, index + field.length);
}

/** Equal for two answers that report the same failure. */
export function toSignature(answer: Answer, session: Session): string {
  const text = session.mask.secrets(nameValues(answer)).replaceAll(/\d+/g, '0');
  return `${answer.response.status} ${text.slice(0, 200)}`;
}

/** The lead field that the text of a refusal names, if it is one of these. */
export function findNamedField(answer: Answer, fields: readonly string[]): string | undefined {
  const { outcome, message } = answer;
  const classified = outcome.kind === 'refused' ? outcome.refusal.field : undefined;
  if (classified !== undefined && fields.includes(classified)) return classified;
  const plain = message.toLowerCase().replaceAll(/[^a-z]/g, '');
  return fields
    .toSorted((a, b) => b.length - a.length)
    .find((field) => plain.includes(field.toLowerCase()));
}
