// assertRoutesProtected: each way of adding a route without the API middleware, and the routes that are allowed.

import { Hono, type MiddlewareHandler } from 'hono';
import { describe, expect, it } from 'vitest';
import { assertRoutesProtected } from '../../../bff/middleware/api-middleware.ts';
import type { BffEnv } from '../../../bff/middleware/context.ts';
import { startBff } from '../../support/bff.ts';

type App = Hono<BffEnv>;

const answer: MiddlewareHandler<BffEnv> = async () => new Response('anybody may read this');
const log: MiddlewareHandler<BffEnv> = (_c, next) => next();
const originGate: MiddlewareHandler<BffEnv> = (_c, next) => next();
const requireSession: MiddlewareHandler<BffEnv> = (_c, next) => next();

const expected = {
  globalMiddleware: [log],
  apiMiddleware: [originGate, requireSession],
};

interface ExtraRoutes {
  readonly before?: (app: App) => unknown;
  readonly between?: (app: App) => unknown;
  readonly after?: (app: App) => unknown;
}

function build({ before, between, after }: ExtraRoutes = {}): App {
  const app = new Hono<BffEnv>();
  app.use(log);
  app.route('/', new Hono<BffEnv>().get('/livez', answer));
  app.get('/widget/*', log, answer);
  before?.(app);
  app.use('/v1/*', originGate);
  between?.(app);
  app.use('/v1/*', requireSession);
  app.route('/v1/offers', new Hono<BffEnv>().get('/', answer).post('/', answer));
  after?.(app);
  assertRoutesProtected(app, expected);
  return app;
}

describe('assertRoutesProtected', () => {
  it('accepts public routes and routes after the API middleware', () => {
    expect(() => build()).not.toThrow();
  });

  it('accepts any handler below /v1 after the API middleware', () => {
    expect(() => build({ after: (app) => app.all('/v1/*', answer) })).not.toThrow();
  });

  it('makes the app reject new routes', () => {
    const app = build();
    expect(() => app.get('/v1/late', answer)).toThrow('already built');
  });

  const unprotected: readonly (readonly [string, ExtraRoutes])[] = [
    ['below /v1, before the middleware', { before: (app) => app.get('/v1/extra', answer) }],
    ['below /v1, inside the middleware', { between: (app) => app.get('/v1/extra', answer) }],
    [
      'in an app of its own',
      { before: (app) => app.route('/v1', new Hono<BffEnv>().get('/a', answer)) },
    ],
    ['for every method', { before: (app) => app.all('/v1/extra', answer) }],
    ['outside of /v1', { after: (app) => app.get('/extra', answer) }],
    ['with the prefix /v1x', { after: (app) => app.get('/v1x', answer) }],
    ['at /v1 itself', { after: (app) => app.get('/v1', answer) }],
    ['for every path', { after: (app) => app.get('*', answer) }],
    ['for every path, before the middleware', { before: (app) => app.use(answer) }],
    ['with a path parameter', { before: (app) => app.get('/:version/offers', answer) }],
    ['as unknown middleware', { before: (app) => app.use('/v1/*', answer) }],
    ['as a mounted app', { before: (app) => app.mount('/v1/extra', () => new Response()) }],
    ['at a public path, for another method', { after: (app) => app.post('/livez', answer) }],
    ['at a public path, for every method', { after: (app) => app.all('/livez', answer) }],
  ];

  it.each(unprotected)('rejects a route %s', (_name, routes) => {
    expect(() => build(routes)).toThrow('bypasses the API middleware');
  });

  it('rejects API middleware for some paths only', () => {
    const app = new Hono<BffEnv>().use('/v1/offers/*', originGate);
    expect(() => assertRoutesProtected(app, expected)).toThrow('ALL /v1/offers/*');
  });

  it('rejects API middleware for one method only', () => {
    const app = new Hono<BffEnv>().get('/v1/*', originGate);
    expect(() => assertRoutesProtected(app, expected)).toThrow('GET /v1/*');
  });

  it('rejects missing API middleware', () => {
    const app = new Hono<BffEnv>().use('/v1/*', originGate);
    expect(() => assertRoutesProtected(app, expected)).toThrow('API middleware is missing');
  });

  it('rejects API middleware in another order', () => {
    const app = new Hono<BffEnv>().use('/v1/*', requireSession).use('/v1/*', originGate);
    expect(() => assertRoutesProtected(app, expected)).toThrow('ALL /v1/*');
  });
});

it('a BFF rejects new routes', async () => {
  const bff = await startBff({ delivers: false });
  expect(() => bff.app.get('/v1/extra', answer)).toThrow('already built');
  expect(() => bff.app.use(answer)).toThrow('already built');
  await bff.close();
});
