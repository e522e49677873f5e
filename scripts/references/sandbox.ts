// The reference of the sandbox: its tags, outcomes, faults, errors, control API, and settings.

import { environmentVariables, toDefault, variableNames } from '../../sandbox/environment.ts';
import { controlRoutes, magicWords } from '../../sandbox/magic-words.ts';
import { operationNames } from '../../sandbox/operation-names.ts';
import { operations } from '../../shared/funding-service/operations.ts';
import { generatedNote, toCode, toDocument, toFacts, toList } from './markdown.ts';

export function toSandboxReference(): Promise<string> {
  const { tags, outcomes, faults, errors } = magicWords;
  return toDocument([
    '# Sandbox',
    generatedNote('sandbox/magic-words.ts and sandbox/environment.ts'),
    'The sandbox is the funding service on your machine. `npm start` starts it beside the BFF and the example page, `npx funding-application-bff sandbox` starts it alone with the npm package, and `npm run sandbox` in a clone. Its console at `/_sandbox/` shows what arrived, and has a control for everything on this page.',
    '## Scenario tags',
    'Type one or more tags into the business name, for example `Harbor Bakery [one offer] [slow]`. Unknown tags are ignored.',
    toList(tags.map(({ tag, description }) => `${toCode(`[${tag}]`)}: ${description}`)),
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
