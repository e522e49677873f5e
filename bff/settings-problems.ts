// What is wrong with a settings file, in words: one line each, by the path of the setting, never with its value.

import type * as z from 'zod/mini';

/** Of what zod found; several where a text is given by language. */
export function toProblems(issue: z.core.$ZodIssue): readonly string[] {
  if (issue.code === 'invalid_union') return toTextProblems(issue);
  const path = toPath(issue);
  if (issue.code === 'unrecognized_keys') {
    const names = issue.keys.join(', ');
    return [path === '' ? `unknown: ${names}` : `${path}: unknown: ${names}`];
  }
  return [`${path === '' ? 'the whole' : path}: ${toExpectation(issue)}`];
}

/** The only unions are texts: one for every language, or one for each. What is wrong is told for the form that was meant. */
function toTextProblems(issue: z.core.$ZodIssueInvalidUnion): readonly string[] {
  const meant = issue.errors.find((inner) => !inner.some(isOtherKind));
  if (meant) {
    return meant.flatMap((inner) => toProblems({ ...inner, path: [...issue.path, ...inner.path] }));
  }
  return [`${toPath(issue)}: must be a text, or texts by language as in {"en": "…", "es": "…"}`];
}

/** Whether it is about the value as a whole. */
function isOtherKind({ code, path }: z.core.$ZodIssue): boolean {
  return code === 'invalid_type' && path.length === 0;
}

function toPath({ path }: z.core.$ZodIssue): string {
  return path.map(String).join('.');
}

function toExpectation(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'too_small':
      return `must not be less than ${issue.minimum}`;
    case 'too_big':
      return `must not be more than ${issue.maximum}`;
    case 'invalid_type':
      return `must be of type ${issue.expected}`;
    case 'invalid_value':
      return `must be one of ${issue.values.map(String).join(', ')}`;
    default:
      return issue.message;
  }
}
