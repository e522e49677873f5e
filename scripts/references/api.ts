// The OpenAPI document of the `/v1` API, and a readable reference made from it.

import { createBffApp } from '../../bff/app.ts';
import { readConfig } from '../../bff/config/config.ts';
import { createFundingService } from '../../bff/funding-service/client.ts';
import { createUndiciTransport } from '../../bff/funding-service/transport.ts';
import { openStore } from '../../bff/store/open-store.ts';
import { problemCodes } from '../../shared/api/problem-codes.ts';
import { type ProblemDefinition, problems } from '../../shared/api/problems.ts';
import {
  formatJson,
  generatedNote,
  joinParts,
  type JsonSchema,
  toCode,
  toDocument,
  toFacts,
  toMembers,
  toTypeName,
  toValue,
} from './markdown.ts';

/** The site serves it as `/openapi.json`. The release and the package of the BFF contain it. */
export const openApiPath = 'docs/public/openapi.json';

const publicUrl = 'https://apply.partner.example';

type Named<Value> = Readonly<Record<string, Value>>;
type Content = Named<{ readonly schema: JsonSchema }>;

interface Parameter {
  readonly $ref?: string;
  readonly in: string;
  readonly name: string;
  readonly required?: boolean;
  readonly description: string;
  readonly schema: JsonSchema;
  readonly example?: unknown;
}

interface Operation {
  readonly summary: string;
  readonly description: string;
  readonly security: readonly object[];
  readonly parameters: readonly Parameter[];
  readonly requestBody?: { readonly required?: boolean; readonly content: Content };
  readonly responses: Named<{ $ref?: string; description: string; content?: Content }>;
}

/** The members of an OpenAPI 3.1 document that the reference shows. */
interface OpenApiDocument {
  readonly info: { readonly description: string };
  readonly paths: Named<Named<Operation>>;
  readonly webhooks: { readonly event: { readonly post: Operation } };
  readonly components: {
    readonly schemas: Named<JsonSchema>;
    readonly parameters: Named<Parameter>;
    readonly securitySchemes: Named<{ readonly description: string }>;
  };
}

/** With the default settings: a running BFF serves one with its own address, choices, and lists. */
async function createOpenApiDocument(): Promise<OpenApiDocument> {
  const result = readConfig({
    variables: { FUNDING_ENVIRONMENT: 'sandbox', PUBLIC_URL: publicUrl, WIDGET_FOLDER: 'none' },
    readFile: () => '',
  });
  if ('problems' in result) throw new Error(result.problems.join('\n'));
  const { config } = result;
  const onEvent = () => undefined;
  const transport = createUndiciTransport();
  const fundingService = createFundingService({ config, transport, clock: Date.now, onEvent });
  const store = await openStore('file::memory:');
  const bff = createBffApp({ config, store, fundingService, log: onEvent });
  const response = await bff.app.request('/openapi.json');
  await bff.close();
  // The routes describe themselves; `test/bff/routes/openapi.test.ts` validates the document.
  return (await response.json()) as OpenApiDocument;
}

export async function toOpenApiText(): Promise<string> {
  return formatJson(await createOpenApiDocument());
}

export async function toApiReference(): Promise<string> {
  const { info, paths, webhooks, components } = await createOpenApiDocument();
  const { schemas, parameters, securitySchemes } = components;
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(
      ([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const,
    ),
  );
  const everywhere = new Set(
    ['FundingRequest', 'Origin'].map((name) => `#/components/parameters/${name}`),
  );
  const toOperation = ([request, operation]: readonly [string, Operation]) => {
    const own = operation.parameters
      .filter(({ $ref = '' }) => !everywhere.has($ref))
      .map((parameter) => parameters[toTypeName(parameter.$ref ?? '')] ?? parameter);
    return toSection(`### ${toCode(request)}`, operation, own, toProblems(request));
  };
  return toDocument([
    '# API',
    generatedNote('the routes of the BFF'),
    info.description,
    '## The OpenAPI document',
    `[openapi.json](../public/openapi.json) describes this API for programs: generate a typed client from it, or import it into a tool. It is also in the folder \`bff\` of a release, and \`import.meta.resolve('funding-application-bff/openapi.json')\` is its address in the npm package. It has the default settings. \`GET /openapi.json\` of a running BFF has the address, the choices, and the lists of that BFF.`,
    '## Authentication',
    ...Object.values(securitySchemes).map(({ description }) => `- ${description}`),
    '## Problems of every operation',
    `Each operation can answer with these [problem codes](problem-codes.md): ${toProblems('all')}. Those with a session also with ${toProblems('session')}. Those with a JSON body also with ${toProblems('json')}.`,
    '## Operations',
    ...operations.map(toOperation),
    '## Webhook',
    toSection('', webhooks.event.post, webhooks.event.post.parameters, ''),
    '## Types',
    ...Object.entries(schemas).map(([name, schema]) => toTypeSection(name, schema)),
  ]);
}

function toSection(
  heading: string,
  { summary, description, security, requestBody, responses }: Operation,
  parameters: readonly Parameter[],
  codes: string,
): string {
  // Only problems are components, and they are listed by their codes.
  const answers = Object.entries(responses)
    .filter(([, { $ref, content = {} }]) => !$ref && !('application/problem+json' in content))
    .map(([status, { description, content = {} }]) => {
      const type = toContent(content);
      return `  - ${toCode(status)}: ${type === '' ? '' : `${type}. `}${description}`;
    });
  return joinParts([
    heading,
    `**${summary}.** ${description}`,
    toFacts([
      ['Session', heading && toSessionText(security)],
      [
        'Body',
        requestBody &&
          `${toContent(requestBody.content)}${requestBody.required ? '' : ' (optional)'}`,
      ],
    ]),
    parameters.length > 0 && `- Parameters:\n${parameters.map(toParameter).join('\n')}`,
    `- Responses:\n${answers.join('\n')}`,
    codes && `- Problems: ${codes}`,
  ]).replaceAll(/\n\n(?=- (?:Parameters|Responses|Problems))/g, '\n');
}

function toSessionText(security: readonly object[]): string {
  if (security.length === 0) return 'none';
  return security.some((scheme) => Object.keys(scheme).length === 0) ? 'optional' : 'required';
}

function toProblems(request: string): string {
  return problemCodes
    .filter((code) => {
      const { requests }: ProblemDefinition = problems[code];
      return typeof requests === 'string'
        ? requests === request
        : requests.some((one) => one === request);
    })
    .map((code) => `[${toCode(code)}](problem-codes.md#${code})`)
    .join(', ');
}

function toParameter({
  in: place,
  name,
  required,
  description,
  schema,
  example,
}: Parameter): string {
  const isValue = example !== undefined && ` Example: ${toCode(String(example))}.`;
  return `  - ${toCode(name)} (${place}${required ? ', required' : ''}): ${toValue(schema)}. ${description}${isValue || ''}`;
}

function toContent(content: Content): string {
  const types = Object.entries(content).map(([type, { schema }]) =>
    type === 'application/json' ? toValue(schema) : `the content as ${toCode(type)}`,
  );
  return types.join(' or ');
}

function toTypeSection(name: string, schema: JsonSchema): string {
  const value = toValue(schema);
  const text = `${value.charAt(0).toUpperCase()}${value.slice(1)}.`;
  return joinParts([
    `### Type: ${name}`,
    schema.description,
    schema.properties ? toMembers(schema) : text,
  ]);
}
