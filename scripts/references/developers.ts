// The references for developers of the host page: the texts of the element, with the industries of `prefill` and the keys of `messages`,
// the problem codes of the API, and the sandbox.

import { join } from 'node:path';
import { environmentVariables, toDefault, variableNames } from '../../sandbox/environment.ts';
import { controlRoutes, magicWords } from '../../sandbox/magic-words.ts';
import { operationNames } from '../../sandbox/operation-names.ts';
import { industries } from '../../shared/application/industries.ts';
import { problemAdvice } from '../../shared/api/problem-advice.ts';
import { problemCodes, type ProblemCode } from '../../shared/api/problem-codes.ts';
import { type ProblemDefinition, problems } from '../../shared/api/problems.ts';
import { operations } from '../../shared/funding-service/operations.ts';
import { readJson, root } from '../project.mjs';
import {
  generatedNote,
  joinParts,
  toCode,
  toDocument,
  toFacts,
  toList,
  toTerms,
} from './markdown.ts';

/** The catalogs, each with the part of the form that shows its texts. */
const catalogs = {
  en: 'Start page, first question, and language',
  'en-form': 'Further steps of the form',
  'en-after': 'After the submission: status, documents, bank, and offers',
  'en-handoff': 'Documents from a phone, on the first device',
  'en-phone': 'Documents from a phone, on the phone',
} as const;

export function toTextsReference(): Promise<string> {
  return toDocument([
    '# Texts of the form',
    generatedNote('widget/i18n and shared/application/industries.ts'),
    'The industries that [`prefill`](../embed/prefill.md) accepts, and the keys of [`messages`](../embed/language.md#change-a-text) with their English texts.',
    '## Industries',
    'Values of `prefill.business.industry`, with exactly this spelling:',
    toList(industries.map(toCode)),
    ...Object.entries(catalogs).flatMap(([name, title]) => [
      `## ${title}`,
      toTerms(Object.entries(readCatalog(name)).map(([key, text]) => [key, toCode(text)])),
    ]),
  ]);
}

function readCatalog(name: string): Readonly<Record<string, string>> {
  return readJson(join(root, 'widget/i18n', `${name}.json`));
}

const elementTexts = Object.assign({}, ...Object.keys(catalogs).map(readCatalog)) as Readonly<
  Record<string, string>
>;

export function toProblemCodesReference(): Promise<string> {
  return toDocument([
    '# Problem codes',
    generatedNote('shared/api/problems.ts and shared/api/problem-advice.ts'),
    'Each error of the [API](api.md) is a JSON object of the type `application/problem+json` (RFC 9457). `code` is one of the codes below. `requestId` is also in the header `X-Request-Id` and in the [log](log-events.md). An error never repeats a value of the request.',
    '```json\n{\n  "type": "urn:funding-application:problem:session-missing",\n  "title": "The session is missing or expired. Start one with POST /v1/session.",\n  "status": 401,\n  "code": "session-missing",\n  "requestId": "5f0c1c1e-4c1e-4f37-9d0e-8f2f5d0a7a11"\n}\n```',
    'Later versions may add codes: treat one that you do not know by its status. With 429 and 503, wait for the seconds of `Retry-After`.',
    'The element shows its own text for each code, and sends some requests again before it shows one. A page gets the code in the event [`funding-error`](element.md#funding-error).',
    ...problemCodes.map(toProblem),
  ]);
}

function toProblem(code: ProblemCode): string {
  const { status, title, requests }: ProblemDefinition = problems[code];
  const text = elementTexts[`problem.${code}`];
  if (text === undefined) throw new Error(`The element has no text for ${code}.`);
  return joinParts([
    `## ${toCode(code)}`,
    title,
    toFacts([
      ['Status', String(status)],
      ['Requests', toRequests(requests)],
      ['The element shows', `“${text}”`],
      ['What to do', problemAdvice[code]],
    ]),
  ]);
}

function toRequests(requests: ProblemDefinition['requests']): string {
  if (requests === 'all') return 'all';
  if (requests === 'session') return 'all that need a session';
  if (requests === 'json') return 'all with a JSON body';
  return requests.length === 0 ? 'those that match no operation' : requests.map(toCode).join(', ');
}

export function toSandboxReference(): Promise<string> {
  const { tags, outcomes, faults, errors } = magicWords;
  return toDocument([
    '# Sandbox',
    generatedNote('sandbox/magic-words.ts and sandbox/environment.ts'),
    'The sandbox is the funding service on your machine. `npm start` starts it beside the BFF and the example page, `npx funding-application-bff sandbox` starts it alone with the npm package, and `npm run sandbox` in a clone. Its console at `/_sandbox/` shows what arrived, and has a control for everything on this page.',
    '## Scenario tags',
    'Type one or more tags into the business name, for example `Harbor Bakery [one offer] [slow]`. Unknown tags are ignored.',
    toTerms(tags.map(({ tag, description }) => [`[${tag}]`, description])),
    'The ID of an [error](#errors) is also a tag: with `Harbor Bakery [upload-file/category-not-allowed]`, Upload File returns that error for this application.',
    '## Outcomes',
    'Set the outcome on the page of an application, with a tag, or with the control API.',
    ...outcomes.map(
      ({ id, label, answer, form }) =>
        `### ${label}\n\n${toFacts([
          ['Outcome', toCode(id)],
          ['Answer', answer],
          ['In the form', form],
        ])}`,
    ),
    'The offers depend on the answers of the applicant: the amount, the annual revenue, the age of the business, and the credit score. The same answers get the same offers, until the seed is changed.',
    '## Faults',
    'A fault changes the answer to the next matching call. Add it on the page Controls, or with the control API.',
    ...faults.map(
      ({ kind, label, effect, form, fields }) =>
        `### ${label}\n\n${toFacts([
          ['Kind', toCode(kind)],
          ['Answer', effect],
          ['In the form', form],
          ['Fields', fields.map(toCode).join(', ')],
        ])}`,
    ),
    '## Errors',
    'Every error that the sandbox can return. It chose the texts marked “chosen”, because the specification does not show their wording. The status is that of `SANDBOX_FAILURE_STATUS=http`; with `body`, the default, it is 200, except for Get Access Token.',
    ...operations.map(
      (operation) =>
        `### ${operationNames[operation]}\n\n${toList(
          errors
            .filter((row) => row.operation === operation)
            .map(
              ({ id, text, condition, httpStatus, isShown }) =>
                `${toCode(id)}: ${toCode(text)}. ${condition}. ${httpStatus}${isShown ? '' : ', chosen'}`,
            ),
        )}`,
    ),
    '## Control API',
    'The same controls for tests, below `/_sandbox`, with bodies in JSON. An empty body counts as `{}`. It needs no password, and refuses requests from pages of another origin. An invalid body gets 400 with a list `problems`.',
    ...controlRoutes.map(
      ({ method, path, body, description }) =>
        `### \`${method} ${path}\`\n\n${description}${body === undefined ? '' : `\n\n\`\`\`json\n${body}\n\`\`\``}`,
    ),
    '## Settings',
    'The sandbox reads these environment variables when it starts, and reports every invalid value at once. An empty variable counts as unset.',
    ...variableNames.map((name) => {
      const { description, value } = environmentVariables[name];
      const initial = toDefault(name);
      return `### ${toCode(name)}\n\n${description}\n\n${toFacts([
        ['Value', value],
        ['Default', initial && toCode(initial)],
      ])}`;
    }),
  ]);
}
