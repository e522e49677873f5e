// `GET /openapi.json`: the contract, for whoever writes a client of their own. Nothing in it is secret or an applicant's.

import { Hono } from 'hono';
import type { Config } from '../config.ts';
import type { BffEnv } from '../gate/context.ts';
import { createOpenApiDocument, type OpenApiDocument } from '../openapi/document.ts';

export function openApiRoutes(config: Config): Hono<BffEnv> {
  let document: OpenApiDocument | undefined;

  return new Hono<BffEnv>().get('/openapi.json', (c) => {
    // Only now: most processes are never asked.
    document ??= createOpenApiDocument(config);
    return c.json(document);
  });
}
