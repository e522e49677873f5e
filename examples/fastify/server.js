// A Fastify server with the BFF below /funding.

import { readFile } from 'node:fs/promises';
import Fastify from 'fastify';
import { createBff, limitServer, serverOptions } from 'funding-application-bff';

const bff = await createBff({ basePath: '/funding' });
const page = await readFile(new URL('page.html', import.meta.url), 'utf8');

const app = Fastify({ http: serverOptions });
limitServer(app.server);

// A context of its own: the BFF reads request bodies itself.
// The other routes keep their parsers.
app.register(async (scope) => {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
  scope.all(`${bff.basePath}/*`, (request, reply) => {
    reply.hijack();
    bff.handler(request.raw, reply.raw);
  });
});
app.get('/', (_request, reply) => reply.type('text/html').send(page));
app.get('/hello', () => 'hello');

await app.listen({ port: Number(process.env.PORT ?? 3000) });
await bff.start();
console.log(`The page is at ${new URL(bff.publicUrl).origin}`);

async function stop() {
  const result = await bff.stop();
  process.exit(result === 'recorded' ? 0 : 1);
}

for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => void stop());
