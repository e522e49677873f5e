// Converts the answers that the host page already knows to answers of the form.

import { homeChoicePath, type Draft } from '../app/draft.ts';
import { allFields, formFields } from '../app/form-fields.ts';
import { answeredSteps } from '../app/navigation.ts';
import { warnDeveloper } from '../app/warn-developer.ts';

/** The answers for `true` and `false`. */
const booleanAnswers = new Map<string, readonly [string, string]>([
  [homeChoicePath, ['yes', 'no']],
  ['owner/otherManagers', ['yes', 'no']],
]);
const textPaths = new Set(
  answeredSteps
    .flatMap((step) => formFields[step])
    .flatMap(({ path }) =>
      path === 'owner/birthDate' ? ['month', 'day', 'year'].map((part) => `${path}/${part}`) : path,
    )
    .filter((path) => !booleanAnswers.has(path)),
);

const amountPaths = new Set(
  allFields.filter(({ kind }) => kind === 'dollars').map(({ path }) => path),
);

/**
 * Ignores unknown names and values of another type, and warns the developer about their names.
 *
 * @param prefill of a host page that may not use types.
 */
export function toPrefilledDraft(prefill: unknown): Draft {
  const draft: Record<string, string> = {};
  const ignored: string[] = [];
  const read = (value: unknown, path: string): void => {
    const answers = booleanAnswers.get(path);
    if (value === undefined || value === null) return;
    if (answers && typeof value === 'boolean') draft[path] = answers[value ? 0 : 1];
    else if (textPaths.has(path) && (typeof value === 'string' || Number.isFinite(value)))
      draft[path] = toText(path, String(value));
    else if (isGroup(path) && typeof value === 'object') {
      const prefix = path === '' ? '' : `${path}/`;
      for (const [name, inner] of Object.entries(value)) read(inner, `${prefix}${name}`);
    } else ignored.push(path);
  };
  read(prefill, '');
  // A home address of its own answers the question before it.
  if (Object.keys(draft).some((path) => path.startsWith('owner/homeAddress')))
    draft[homeChoicePath] ??= 'no';
  if (ignored.length > 0)
    warnDeveloper(`"prefill" contains unknown names or invalid values: ${ignored.join(', ')}`);
  return draft;
}

/** An applicant reads `75,000` more easily than `75000`. */
function toText(path: string, text: string): string {
  return amountPaths.has(path) && /^\d+$/.test(text) ? Number(text).toLocaleString('en-US') : text;
}

function isGroup(path: string): boolean {
  return path === '' || [...textPaths].some((text) => text.startsWith(`${path}/`));
}
