// `GET /openapi.json`: the contract for authors of other clients. It is public: it contains no secret and no personal data.

import { Hono } from 'hono';
import type { Config } from '../config/config.ts';
import type { BffEnv } from '../middleware/context.ts';
import { toSessionCookieName } from '../middleware/session-cookie.ts';
import { createOpenApiDocument, type OpenApiDocument } from '../openapi/document.ts';

export function openApiRoutes({ publicOrigin, settings }: Config): Hono<BffEnv> {
  let document: OpenApiDocument | undefined;

  return new Hono<BffEnv>().get('/openapi.json', (c) => {
    // Created on the first request, because most processes never receive one.
    document ??= createOpenApiDocument({
      publicOrigin,
      settings,
      sessionCookieName: toSessionCookieName(publicOrigin, publicOrigin.startsWith('https:')),
    });
    return c.json(document);
  });
}
