// No handler runs outside the allowed cells, however the address is written; and the sweep itself finds holes that are made for it.

import type { RouterRoute } from 'hono/types';
import { describe, expect, it } from 'vitest';
import { createSweptRig, sweepRoutes } from './route-sweep.ts';
import { sweepPaths } from './path-variants.ts';
import { contract } from './sweep-cells.ts';

type Routes = readonly RouterRoute[];

describe('the routes of the BFF', () => {
  it('are those of the contract below /v1, and five public ones', async () => {
    const rig = await createSweptRig();
    const routes = new Set(
      rig.app.routes
        .filter(({ method }) => method !== 'ALL')
        .map(({ method, path }) => `${method} ${path}`),
    );
    await rig.close();
    const open = [
      'GET /livez',
      'GET /readyz',
      'GET /metrics',
      'GET /openapi.json',
      'GET /widget/*',
    ];
    expect([...routes].sort()).toEqual([...contract, ...open].sort());
  });

  it('answer what a page of the partner can have sent, and nothing else', async () => {
    const sweep = await sweepRoutes({ share: 0.01 });
    expect(sweep.problems).toEqual([]);
    expect(sweep.requests).toBeGreaterThan(24_000);
    expect(sweep.answered).toBeGreaterThan(700);
  });

  it('stand behind the gate by every spelling of their address', async () => {
    const sweep = await sweepPaths();
    expect(sweep.problems).toEqual([]);
    expect(sweep.requests).toBeGreaterThan(5_000);
    expect(sweep.answered).toBeGreaterThan(500);
  });
});

describe('the sweep', () => {
  const holes: readonly (readonly [string, (routes: Routes) => Routes])[] = [
    ['no gate', (routes) => routes.filter(({ handler }) => handler.name !== 'originGate')],
    ['no session', (routes) => change(routes, 'requireSession', () => false)],
    ['a gate that lets GET through', (routes) => change(routes, 'originGate', isNot('GET'))],
    [
      'a gate that lets OPTIONS through',
      (routes) => change(routes, 'originGate', isNot('OPTIONS')),
    ],
    ['a route before the gate', (routes) => [rogue('/v1/offers'), ...routes]],
    ['a route for all addresses', (routes) => [rogue('/*'), ...routes]],
  ];

  it.each(holes)('finds %s', async (_name, alter) => {
    const sweep = await sweepRoutes({ share: 0.0001, neighbourShare: 0.1, alter });
    expect(sweep.problems.length).toBeGreaterThan(5);
  });

  it('finds a gate that does not stand before every address', async () => {
    const alter = (routes: Routes) =>
      routes.map((route) =>
        route.handler.name === 'originGate' ? { ...route, path: '/v1/session/*' } : route,
      );
    expect((await sweepPaths({ share: 0.1, alter })).problems.length).toBeGreaterThan(5);
  });
});

function rogue(path: string): RouterRoute {
  return { basePath: '/', path, method: 'GET', handler: () => new Response() };
}

/** The middleware of that name does its work for some requests only. */
function change(routes: Routes, name: string, does: (request: Request) => boolean): Routes {
  return routes.map((route) => {
    if (route.handler.name !== name) return route;
    const handler: typeof route.handler = (c, next) =>
      does(c.req.raw) ? route.handler(c, next) : next();
    return { ...route, handler: Object.defineProperty(handler, 'name', { value: name }) };
  });
}

function isNot(method: string) {
  return (request: Request) => request.method !== method;
}
