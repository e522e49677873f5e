// `/v1/application`: file an application, and ask where it stands.

import { Hono, type Context } from 'hono';
import { apiHeaders } from '../../shared/api/paths.ts';
import { AppError } from '../app-error.ts';
import type { BffEnv } from '../gate/context.ts';
import { createAdmission } from './admission.ts';
import type { RouteDependencies } from './dependencies.ts';
import { toFormPace } from './pace.ts';
import { readJson } from './request-body.ts';
import { createSubmitApplication } from './submit-application.ts';
import { viewApplication } from './views.ts';

const maxBytes = 64 * 1024;

export function applicationRoutes(dependencies: RouteDependencies): Hono<BffEnv> {
  const limits = { maxBytes, pace: toFormPace(dependencies) };
  const { schema, submit } = createSubmitApplication(dependencies);
  const admit = createAdmission(dependencies);

  return new Hono<BffEnv>()
    .post('/', async (c) => {
      const application = await submit({
        sessionId: c.get('session').row.id,
        idempotencyKey: readIdempotencyKey(c),
        application: await readJson(c, schema, limits),
        address: dependencies.findClientAddress(c),
        admit: () => admit(c),
      });
      if (application.state === 'rejected') {
        throw new AppError('application-rejected', { errors: application.errors });
      }
      const status = viewApplication(application, dependencies);
      return c.json(status, status.status === 'accepted' ? 201 : 202);
    })
    .get('/', async (c) => {
      const application = await dependencies.journal.findCurrentApplication(
        c.get('session').row.id,
      );
      if (!application) throw new AppError('application-missing');
      return c.json(viewApplication(application, dependencies));
    });
}

function readIdempotencyKey(c: Context<BffEnv>): string {
  const key = c.req.header(apiHeaders.idempotencyKey)?.toLowerCase() ?? '';
  if (!/^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/.test(key)) {
    throw new AppError('idempotency-key-missing');
  }
  return key;
}
