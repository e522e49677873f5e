// Parses application bodies as the route does, without the middleware: it reads no bodies, and its session encryption is slow.

import { Hono } from 'hono';
import { requestId } from '../../bff/middleware/request-log.ts';
import type { BffEnv } from '../../bff/middleware/context.ts';
import { readJson } from '../../bff/routes/request-body.ts';
import { toProblemResponse } from '../../bff/middleware/errors.ts';
import { createApplicationSchemas } from '../../shared/application/application.ts';
import { createTestConfig } from '../support/bff.ts';
import { testNow } from '../support/manual-time.ts';

export interface ReadBody {
  readonly status: number;
  /** The parsed application, or the problem. */
  readonly json: unknown;
}

export type BodyReader = (body: string | Uint8Array<ArrayBuffer>) => Promise<ReadBody>;

const neverFires = () => () => undefined;

export function createBodyReader(): BodyReader {
  const { settings } = createTestConfig();
  const { application: schema } = createApplicationSchemas({
    fundingReasons: settings.fundingReasons.map(({ value }) => value),
    businessTypes: settings.businessTypes.map(({ value }) => value),
    creditScores: settings.creditScores.map(({ value }) => value),
    requiredFields: settings.requiredFields,
    now: () => new Date(testNow),
  });
  const time = { clock: () => testNow, startTimer: neverFires };
  const app = new Hono<BffEnv>()
    .use(requestId())
    .post('/', async (c) => c.json(await readJson(c, schema, 64 * 1024, time)))
    .onError((error, c) => toProblemResponse(c, error));

  return async (body) => {
    const response = await app.request('/', { method: 'POST', body });
    return { status: response.status, json: await response.json() };
  };
}
