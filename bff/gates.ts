// What stands between a request and the routes: which gates, in which order, and for which addresses there are none.

import type { MiddlewareHandler } from 'hono';
import { apiPaths } from '../shared/api/paths.ts';
import type { BffEnv } from './gate/context.ts';
import { originGate } from './gate/origin-gate.ts';
import type { RouteDependencies } from './routes/dependencies.ts';

/** Answer anybody, without gate or session: nothing in them is an applicant's. `/metrics` asks for a token of its own. */
export const publicRoutes = [
  'GET /livez',
  'GET /readyz',
  'GET /metrics',
  'GET /openapi.json',
  'GET /widget/*',
];

/** Ask for no session: what everybody may know, and where sessions begin. */
const sessionlessRoutes = new Set([`GET ${apiPaths.configuration}`, `POST ${apiPaths.session}`]);

/**
 * The middleware that every request below `/v1` passes, in this order.
 *
 * @param listMethods returns the methods that the route at a path accepts.
 */
export function createGates(
  dependencies: RouteDependencies,
  listMethods: (path: string) => readonly string[],
): readonly MiddlewareHandler<BffEnv>[] {
  const { config, sessions, throttle, refusals, logRarely } = dependencies;
  return [
    originGate({
      allowedOrigins: config.allowedOrigins,
      crossSiteOrigins: config.crossSiteOrigins,
      publicOrigin: config.publicOrigin,
      listMethods,
      onRefusal: (requestId, reason) => {
        refusals.countGateRefusal(reason);
        logRarely(`gate-refused ${reason}`, (refused) => ({
          event: 'gate-refused',
          requestId,
          reason,
          refused,
        }));
      },
    }),
    ...throttle.beforeSession,
    async function sessionWhereNeeded(c, next) {
      const isOpen = sessionlessRoutes.has(`${c.req.method} ${c.req.path}`);
      return isOpen ? next() : sessions.middleware(c, next);
    },
    throttle.bySession,
  ];
}
