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
import { type Parts, toCode, toFacts, toList, toTerms } from './markdown.ts';

/** The catalogs, each with the part of the form that shows its texts. */
const catalogs = {
  en: 'Start page, first question, and language',
  'en-form': 'Further steps of the form',
  'en-after': 'After the submission: status, documents, bank, and offers',
  'en-handoff': 'Documents from a phone, on the first device',
  'en-phone': 'Documents from a phone, on the phone',
} as const;

export function createTextParts(): Parts {
  return {
    industries: [toList(industries.map(toCode))],
    texts: Object.entries(catalogs).flatMap(([name, title]) => [
      `## ${title}`,
      toTerms(Object.entries(readCatalog(name)).map(([key, text]) => [key, toCode(text)])),
    ]),
  };
}

function readCatalog(name: string): Readonly<Record<string, string>> {
  return readJson(join(root, 'widget/i18n', `${name}.json`));
}

const elementTexts = Object.assign({}, ...Object.keys(catalogs).map(readCatalog)) as Readonly<
  Record<string, string>
>;

export function createProblemCodeParts(): Parts {
  return { codes: problemCodes.flatMap(toProblem) };
}

function toProblem(code: ProblemCode) {
  const { status, title, requests }: ProblemDefinition = problems[code];
  const text = elementTexts[`problem.${code}`];
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
  ];
}

function toRequests(requests: ProblemDefinition['requests']): string {
  if (requests === 'all') return 'all';
  if (requests === 'session') return 'all that need a session';
  if (requests === 'json') return 'all with a JSON body';
  return requests.length === 0 ? 'those that match no operation' : requests.map(toCode).join(', ');
}

export function createSandboxParts(): Parts {
  const { tags, outcomes, faults, errors } = magicWords;
  return {
    tags: [toTerms(tags.map(({ tag, description }) => [`[${tag}]`, description]))],
    outcomes: outcomes.flatMap(({ id, label, answer, form }) => [
      `### ${label}`,
      toFacts([
        ['Outcome', toCode(id)],
        ['Answer', answer],
        ['In the form', form],
      ]),
    ]),
    faults: faults.flatMap(({ kind, label, effect, form, fields }) => [
      `### ${label}`,
      toFacts([
        ['Kind', toCode(kind)],
        ['Answer', effect],
        ['In the form', form],
        ['Fields', fields.map(toCode).join(', ')],
      ]),
    ]),
    errors: operations.flatMap((operation) => [
      `### ${operationNames[operation]}`,
      toTerms(
        errors
          .filter((row) => row.operation === operation)
          .map(({ id, text, condition, httpStatus, isShown }) => [
            id,
            `${toCode(text)}. ${condition}. ${httpStatus}${isShown ? '' : ', chosen'}`,
          ]),
      ),
    ]),
    control: controlRoutes.flatMap(({ method, path, body, description }) => [
      `### ${toCode(`${method} ${path}`)}`,
      description,
      body && `\`\`\`json\n${body}\n\`\`\``,
    ]),
    settings: variableNames.flatMap((name) => {
      const { description, value } = environmentVariables[name];
      const initial = toDefault(name);
      const facts = toFacts([
        ['Value', value],
        ['Default', initial && toCode(initial)],
      ]);
      return [`### ${toCode(name)}`, description, facts];
    }),
  };
}
