// The OpenAPI document of the `/v1` API, and a readable reference made from it.

import { createBff } from '../../bff/create-bff.ts';
import { problemCodes } from '../../shared/api/problem-codes.ts';
import { type ProblemDefinition, problems } from '../../shared/api/problems.ts';
import {
  formatJson,
  type JsonSchema,
  type Parts,
  toCode,
  toFacts,
  toList,
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

/** The answer of a BFF with the default settings and an empty store. */
export async function requestDefaultBff(path: string): Promise<Response> {
  const variables = {
    FUNDING_ENVIRONMENT: 'sandbox',
    PUBLIC_URL: publicUrl,
    WIDGET_FOLDER: 'none',
    DATABASE_URL: 'file::memory:',
  };
  const bff = await createBff({ variables, log: { write: () => undefined } });
  const response = await bff.fetch(new Request(`${publicUrl}${path}`));
  await bff.stop();
  return response;
}

/** A running BFF serves one with its own address, choices, and lists. `test/bff/routes/openapi.test.ts` validates the document. */
async function createOpenApiDocument(): Promise<OpenApiDocument> {
  const response = await requestDefaultBff('/openapi.json');
  return (await response.json()) as OpenApiDocument;
}

export async function toOpenApiText(): Promise<string> {
  return formatJson(await createOpenApiDocument());
}

export async function createApiParts(): Promise<Parts> {
  const { info, paths, webhooks, components } = await createOpenApiDocument();
  const { schemas, parameters, securitySchemes } = components;
  return {
    introduction: [info.description],
    authentication: [toList(Object.values(securitySchemes).map(({ description }) => description))],
    problems: [
      toFacts([
        ['All', toProblems('all')],
        ['Those with a session, also', toProblems('session')],
        ['Those with a JSON body, also', toProblems('json')],
      ]),
    ],
    operations: Object.entries(paths).flatMap(([path, item]) =>
      Object.entries(item).flatMap(([method, operation]) =>
        toOperation(operation, parameters, `${method.toUpperCase()} ${path}`),
      ),
    ),
    webhook: toOperation(webhooks.event.post, parameters),
    types: Object.entries(schemas).flatMap(([name, schema]) => {
      const value = toValue(schema);
      const text = `${value.charAt(0).toUpperCase()}${value.slice(1)}.`;
      const members = schema.properties ? toMembers(schema) : text;
      return [`### Type: ${name}`, schema.description, members];
    }),
  };
}

function toOperation(
  { summary, description, security, parameters, requestBody, responses }: Operation,
  shared: Named<Parameter>,
  request?: string,
) {
  const operationParameters = parameters
    // The requests of all operations have these two.
    .filter(({ $ref = '' }) => !/\/(?:FundingRequest|Origin)$/.test($ref))
    .map((parameter) => shared[toTypeName(parameter.$ref ?? '')] ?? parameter);
  // Only problems are components, and they are listed by their codes.
  const answers = Object.entries(responses)
    .filter(([, { $ref, content = {} }]) => !$ref && !('application/problem+json' in content))
    .map(([status, { description, content = {} }]) => {
      const type = toContent(content);
      return `${toCode(status)}: ${type && `${type}. `}${description}`;
    });
  const body = requestBody && toContent(requestBody.content);
  return [
    request && `### ${toCode(request)}`,
    `**${summary}.** ${description}`,
    toFacts([
      ['Session', request && toSessionText(security)],
      ['Body', body && `${body}${requestBody.required ? '' : ' (optional)'}`],
      ['Parameters', toNested(operationParameters.map(toParameter))],
      ['Responses', toNested(answers)],
      ['Problems', request && toProblems(request)],
    ]),
  ];
}

function toNested(items: readonly string[]): string {
  return items.map((item) => `\n  - ${item}`).join('');
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

function toParameter(parameter: Parameter): string {
  const { in: place, name, required, description, schema, example } = parameter;
  const text = example === undefined ? '' : ` Example: ${toCode(String(example))}.`;
  return `${toCode(name)} (${place}${required ? ', required' : ''}): ${toValue(schema)}. ${description}${text}`;
}

function toContent(content: Content): string {
  const types = Object.entries(content).map(([type, { schema }]) =>
    type === 'application/json' ? toValue(schema) : `the content as ${toCode(type)}`,
  );
  return types.join(' or ');
}
