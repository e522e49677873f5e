// The reference of the problem codes of the `/v1` API.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { problemAdvice } from '../../shared/api/problem-advice.ts';
import { problemCodes, type ProblemCode } from '../../shared/api/problem-codes.ts';
import { type ProblemDefinition, problems } from '../../shared/api/problems.ts';
import { root } from '../project.mjs';
import { generatedNote, toCode, toDocument, toFacts } from './markdown.ts';

const catalogs = ['en', 'en-form', 'en-after', 'en-phone'];

/** The texts of the element, by their keys. */
const texts: Readonly<Record<string, string>> = Object.assign(
  {},
  ...catalogs.map((name) =>
    JSON.parse(readFileSync(join(root, 'widget/i18n', `${name}.json`), 'utf8')),
  ),
);

export function toProblemCodesReference(): Promise<string> {
  return toDocument([
    '# Problem codes',
    generatedNote('shared/api/problems.ts and shared/api/problem-advice.ts'),
    'Each error of the [API](api.md) is a JSON object of the type `application/problem+json` (RFC 9457). `code` is one of the codes below. `requestId` is also in the header `X-Request-Id` and in the [log](log-events.md). An error never repeats a value of the request.',
    '```json\n{\n  "type": "urn:funding-application:problem:session-missing",\n  "title": "The session is missing or expired. Start one with POST /v1/session.",\n  "status": 401,\n  "code": "session-missing",\n  "requestId": "5f0c1c1e-4c1e-4f37-9d0e-8f2f5d0a7a11"\n}\n```',
    'Later versions may add codes: treat one that you do not know by its status. With 429 and 503, wait for the seconds of `Retry-After`.',
    'The element shows its own text for each code, and sends some requests again before it shows one. A page gets the code in the event [`funding-error`](element.md#funding-error).',
    ...problemCodes.map(toSection),
  ]);
}

function toSection(code: ProblemCode): string {
  const { status, title, requests }: ProblemDefinition = problems[code];
  const text = texts[`problem.${code}`];
  if (text === undefined) throw new Error(`The element has no text for ${code}.`);
  return [
    `## ${toCode(code)}`,
    title,
    toFacts([
      ['Status', String(status)],
      ['Requests', toRequests(requests)],
      ['The element shows', `“${text}”`],
      ['What to do', problemAdvice[code]],
    ]),
  ].join('\n\n');
}

function toRequests(requests: ProblemDefinition['requests']): string {
  if (requests === 'all') return 'all';
  if (requests === 'session') return 'all that need a session';
  if (requests === 'json') return 'all with a JSON body';
  return requests.length === 0 ? 'those that match no operation' : requests.map(toCode).join(', ');
}
