// The contract of mounts in Node's own server, Express, Fastify, and Hono.

import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { createAdaptorServer, type HttpBindings } from '@hono/node-server';
import express from 'express';
import Fastify from 'fastify';
import { Hono } from 'hono';
import { afterAll } from 'vitest';
import { createBff, limitServer, serverOptions, type Bff } from '../../../bff/index.ts';
import { describeMount, type Host, type HostOptions } from '../../bff/mounts/mount-contract.ts';

const folders: string[] = [];

afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

async function createDatabaseUrl(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'mount-'));
  folders.push(folder);
  return `file:${folder}/store.db`;
}

function createMounted({ variables, settings }: HostOptions): Promise<Bff> {
  return createBff({ variables, settings, log: { write: () => undefined } });
}

async function listen(server: Server, bff: Bff, port: number): Promise<Host> {
  limitServer(server);
  server.listen(port);
  await once(server, 'listening');
  await bff.start();
  return {
    async stop() {
      const result = await bff.stop();
      server.close();
      server.closeAllConnections();
      return result;
    },
  };
}

describeMount("Node's own server", {
  createDatabaseUrl,
  async start(options) {
    const bff = await createMounted(options);
    const server = createServer(serverOptions, (request, response) => {
      const answer = () =>
        bff.handler(request, response, () => {
          response.statusCode = request.url === '/hello' ? 200 : 404;
          response.end('hello');
        });
      if (options.parsesBodies) void buffer(request).then(answer);
      else answer();
    });
    return listen(server, bff, options.port);
  },
});

describeMount('Express', {
  createDatabaseUrl,
  async start(options) {
    const bff = await createMounted(options);
    const app = express();
    if (options.parsesBodies) app.use(express.json());
    app.use(options.basePath, bff.handler);
    app.use(express.json());
    app.get('/hello', (_request, response) => void response.send('hello'));
    return listen(createServer(serverOptions, app), bff, options.port);
  },
});

describeMount('Fastify', {
  createDatabaseUrl,
  async start(options) {
    const bff = await createMounted(options);
    const app = Fastify();
    void app.register(async (scope) => {
      if (!options.parsesBodies) {
        scope.removeAllContentTypeParsers();
        scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
      }
      scope.all(`${options.basePath}/*`, (request, reply) => {
        reply.hijack();
        bff.handler(request.raw, reply.raw);
      });
    });
    app.get('/hello', () => 'hello');
    limitServer(app.server);
    await app.listen({ port: options.port });
    await bff.start();
    return {
      async stop() {
        const result = await bff.stop();
        app.server.closeAllConnections();
        await app.close();
        return result;
      },
    };
  },
});

describeMount('Hono', {
  createDatabaseUrl,
  async start(options) {
    const bff = await createMounted(options);
    const app = new Hono<{ Bindings: HttpBindings }>();
    if (options.parsesBodies) {
      app.use(async (c, next) => {
        await c.req.raw.arrayBuffer();
        await next();
      });
    }
    app.all(`${options.basePath}/*`, (c) => bff.fetch(c.req.raw, c.env));
    app.get('/hello', (c) => c.text('hello'));
    const server = createAdaptorServer({ fetch: app.fetch, serverOptions }) as Server;
    return listen(server, bff, options.port);
  },
});

describeMount('Hono with a mount', {
  createDatabaseUrl,
  // `mount` passes the same request on, so one framework shows it.
  canParseBodies: false,
  async start(options) {
    const bff = await createMounted(options);
    const app = new Hono<{ Bindings: HttpBindings }>();
    app.mount(options.basePath, bff.fetch);
    app.get('/hello', (c) => c.text('hello'));
    const server = createAdaptorServer({ fetch: app.fetch, serverOptions }) as Server;
    return listen(server, bff, options.port);
  },
});
