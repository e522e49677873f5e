// A route beside the gates does not start: each way of adding one, and what may stand where it stands.

import { Hono, type MiddlewareHandler } from 'hono';
import { describe, expect, it } from 'vitest';
import { assertProtected } from '../../../bff/middleware/api-middleware.ts';
import type { BffEnv } from '../../../bff/middleware/context.ts';
import { createRig } from '../bff-rig.ts';

type App = Hono<BffEnv>;

const answer: MiddlewareHandler<BffEnv> = async () => new Response('anybody may read this');
const log: MiddlewareHandler<BffEnv> = (_c, next) => next();
const originGate: MiddlewareHandler<BffEnv> = (_c, next) => next();
const sessionGate: MiddlewareHandler<BffEnv> = (_c, next) => next();

const gating = {
  everywhere: [log],
  gates: [originGate, sessionGate],
  publicRoutes: ['GET /livez', 'GET /widget/*'],
};

interface Rogue {
  readonly before?: (app: App) => unknown;
  readonly between?: (app: App) => unknown;
  readonly startTimer?: (app: App) => unknown;
}

function build({ before, between, startTimer }: Rogue = {}): App {
  const app = new Hono<BffEnv>();
  app.use(log);
  app.route('/', new Hono<BffEnv>().get('/livez', answer));
  app.get('/widget/*', log, answer);
  before?.(app);
  app.use('/v1/*', originGate);
  between?.(app);
  app.use('/v1/*', sessionGate);
  app.route('/v1/offers', new Hono<BffEnv>().get('/', answer).post('/', answer));
  startTimer?.(app);
  assertProtected(app, gating);
  return app;
}

describe('an app whose routes stand behind the gates', () => {
  it('is taken', () => {
    expect(() => build()).not.toThrow();
  });

  it('may have more of them, of any kind', () => {
    expect(() => build({ startTimer: (app) => app.all('/v1/*', answer) })).not.toThrow();
  });

  it('takes no route any more once it is whole', () => {
    const app = build();
    expect(() => app.get('/v1/late', answer)).toThrow('already built');
  });
});

describe('an app with a route beside the gates', () => {
  const rogues: readonly (readonly [string, Rogue])[] = [
    ['below /v1, before the gates', { before: (app) => app.get('/v1/rogue', answer) }],
    ['below /v1, between two gates', { between: (app) => app.get('/v1/rogue', answer) }],
    [
      'in a part of its own',
      { before: (app) => app.route('/v1', new Hono<BffEnv>().get('/a', answer)) },
    ],
    ['for every method', { before: (app) => app.all('/v1/rogue', answer) }],
    ['outside of /v1', { startTimer: (app) => app.get('/rogue', answer) }],
    ['whose name begins like ours', { startTimer: (app) => app.get('/v1x', answer) }],
    ['at /v1 itself', { startTimer: (app) => app.get('/v1', answer) }],
    ['for every address', { startTimer: (app) => app.get('*', answer) }],
    ['for every address, first', { before: (app) => app.use(answer) }],
    ['with a part that may be anything', { before: (app) => app.get('/:version/offers', answer) }],
    ['as middleware nobody named', { before: (app) => app.use('/v1/*', answer) }],
    ['as a mounted app', { before: (app) => app.mount('/v1/rogue', () => new Response()) }],
    [
      'at a public address, for another method',
      { startTimer: (app) => app.post('/livez', answer) },
    ],
    ['at a public address, for every method', { startTimer: (app) => app.all('/livez', answer) }],
  ];

  it.each(rogues)('is refused: %s', (_name, rogue) => {
    expect(() => build(rogue)).toThrow('does not stand behind the gates');
  });

  it('is refused when a gate stands for some addresses only, or for one method', () => {
    const narrow = new Hono<BffEnv>().use('/v1/offers/*', originGate);
    expect(() => assertProtected(narrow, gating)).toThrow('ALL /v1/offers/*');
    const one = new Hono<BffEnv>().get('/v1/*', originGate);
    expect(() => assertProtected(one, gating)).toThrow('GET /v1/*');
  });

  it('is refused when a gate is missing, or stands in another’s place', () => {
    const missing = new Hono<BffEnv>().use('/v1/*', originGate);
    expect(() => assertProtected(missing, gating)).toThrow('A gate is missing');
    const swapped = new Hono<BffEnv>().use('/v1/*', sessionGate).use('/v1/*', originGate);
    expect(() => assertProtected(swapped, gating)).toThrow('ALL /v1/*');
  });
});

it('the BFF’s own table is closed from the beginning', async () => {
  const rig = await createRig({ delivers: false });
  expect(() => rig.app.get('/v1/rogue', answer)).toThrow('already built');
  expect(() => rig.app.use(answer)).toThrow('already built');
  await rig.close();
});
