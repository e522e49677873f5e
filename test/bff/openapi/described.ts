// Compares requests and answers of a BFF with its OpenAPI document.

import { expect } from 'vitest';
import * as z from 'zod';
import type { OpenApiDocument } from '../../../bff/openapi/document.ts';
import type { Answer, Rig } from '../bff-rig.ts';

/** Headers for browsers and caches, which a client of the contract does not read. */
const undescribedHeaders: ReadonlySet<string> = new Set([
  'access-control-allow-credentials',
  'access-control-allow-origin',
  'access-control-expose-headers',
  'cache-control',
  'content-security-policy',
  'content-type',
  'cross-origin-resource-policy',
  'referrer-policy',
  'vary',
  'x-content-type-options',
]);

/** Leaves out the headers that only browsers send. */
export const withoutMetadata = { 'sec-fetch-site': undefined, 'sec-fetch-mode': undefined };

interface DescribedParameter {
  readonly in: string;
  readonly name: string;
  readonly required?: boolean;
}

interface DescribedHeader {
  readonly required?: boolean;
}

export async function readDocument({ app }: Rig): Promise<OpenApiDocument> {
  const answer = await app.request('/openapi.json');
  expect(answer.status).toBe(200);
  // A test of its own validates the document.
  return (await answer.json()) as OpenApiDocument;
}

/** Fails unless the document describes this answer: status, headers, media type and body. */
export function expectDescribed(
  document: OpenApiDocument,
  method: string,
  path: string,
  answer: Answer,
): Answer {
  const request = `${method} ${path} ${answer.status}`;
  const response = document.paths[path]?.[method.toLowerCase()]?.responses[answer.status];
  expect([request, response]).not.toContain(undefined);
  const [mediaType] = (answer.headers.get('content-type') ?? '').split(';');
  const content = Object.entries(response?.content ?? {});
  expect(content.map(([type]) => type)).toEqual(mediaType === '' ? [] : [mediaType]);
  for (const [, { schema }] of content) {
    expect(toSchema(schema, document).safeParse(answer.json).error).toBeUndefined();
  }
  const headers = Object.entries(response?.headers ?? {});
  const required = headers.filter(([, { $ref }]) => find<DescribedHeader>(document, $ref).required);
  const sent = [...answer.headers.keys()].filter((name) => !undescribedHeaders.has(name));
  const described = headers.map(([name]) => name);
  expect([request, described]).toEqual([request, expect.arrayContaining(sent)]);
  const always = required.map(([name]) => name);
  expect([request, sent]).toEqual([request, expect.arrayContaining(always)]);
  return answer;
}

export function listRequiredHeaders(
  document: OpenApiDocument,
  method: string,
  path: string,
): readonly string[] {
  const operation = document.paths[path]?.[method.toLowerCase()];
  // Each is a parameter or a reference to one.
  const parameters = (operation?.['parameters'] ?? []) as readonly (DescribedParameter & {
    readonly $ref?: string;
  })[];
  return parameters
    .map((parameter) =>
      parameter.$ref ? find<DescribedParameter>(document, parameter.$ref) : parameter,
    )
    .filter((parameter) => parameter.in === 'header' && parameter.required)
    .map(({ name }) => name);
}

/** The component that a reference names. */
function find<Component>(document: OpenApiDocument, reference: string): Component {
  const steps = reference.slice('#/'.length).split('/');
  const found = steps.reduce<unknown>(
    (value, step) => (value as Record<string, unknown>)[step],
    document,
  );
  expect(found).toBeDefined();
  return found as Component;
}

/** Conversions by document and schema: each one converts all components. */
const converted = new WeakMap<OpenApiDocument, Map<string, z.ZodType>>();

/** The zod schema of a schema in the document. zod expects the referenced schemas in `$defs`. */
export function toSchema(schema: object, document: OpenApiDocument): z.ZodType {
  const known = converted.get(document) ?? new Map<string, z.ZodType>();
  converted.set(document, known);
  const text = JSON.stringify({ ...schema, $defs: document.components.schemas });
  const found =
    known.get(text) ??
    z.fromJSONSchema(JSON.parse(text.replaceAll('#/components/schemas/', '#/$defs/')));
  known.set(text, found);
  return found;
}
