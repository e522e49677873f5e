// The sweep knows all routes, and finds broken protection.

import type { RouterRoute } from 'hono/types';
import { describe, expect, it } from 'vitest';
import { contract, startSweptBff, sweepRoutes } from './route-sweep.ts';
import { sweepPaths } from './path-variants.ts';

type Routes = readonly RouterRoute[];

describe('the routes of the BFF', () => {
  it('are those of the contract, plus five public ones', async () => {
    const bff = await startSweptBff();
    const routes = new Set(
      bff.app.routes
        .filter(({ method }) => method !== 'ALL')
        .map(({ method, path }) => `${method} ${path}`),
    );
    await bff.close();
    const open = [
      'GET /livez',
      'GET /readyz',
      'GET /metrics',
      'GET /openapi.json',
      'GET /widget/*',
    ];
    expect([...routes].sort()).toEqual([...contract, ...open].sort());
  });
});

describe('the sweep', () => {
  const faults: Readonly<Record<string, (routes: Routes) => Routes>> = {
    'a missing origin gate': (routes) =>
      routes.filter(({ handler }) => handler.name !== 'originGate'),
    'a route before the origin gate': (routes) => [createExtraRoute('/v1/offers'), ...routes],
    'a route for all paths': (routes) => [createExtraRoute('/*'), ...routes],
  };

  it.each(Object.entries(faults))('finds %s', async (_name, alter) => {
    const sweep = await sweepRoutes({ share: 0.0001, neighborShare: 0.1, alter });
    expect(sweep.problems.length).toBeGreaterThan(5);
  });

  it('finds an origin gate for some paths only', async () => {
    const alter = (routes: Routes) =>
      routes.map((route) =>
        route.handler.name === 'originGate' ? { ...route, path: '/v1/session/*' } : route,
      );
    expect((await sweepPaths({ share: 0.1, alter })).problems.length).toBeGreaterThan(5);
  });
});

function createExtraRoute(path: string): RouterRoute {
  return { basePath: '/', path, method: 'GET', handler: () => new Response() };
}
