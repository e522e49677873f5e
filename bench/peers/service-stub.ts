// A stub of the funding service that accepts every token request and lead after a fixed delay.
// Environment: STUB_PORT, STUB_DELAY_MS. After the message `down`, it responds 503 to every request until `up`.

import { createServer, type IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

const delayMs = Number(process.env['STUB_DELAY_MS'] ?? 0);
let isDown = false;
let count = 0;

process.on('message', (message) => {
  isDown = message === 'down';
  process.send?.(message);
});

createServer((request, response) => {
  void answer(request).then(({ status, body }) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
}).listen(Number(process.env['STUB_PORT']), '127.0.0.1');

async function answer(
  request: IncomingMessage,
): Promise<{ readonly status: number; readonly body: unknown }> {
  const text = await readText(request);
  if (delayMs > 0) await sleep(delayMs);
  if (isDown) return { status: 503, body: {} };
  if (request.url?.endsWith('/token')) return { status: 200, body: createToken() };
  if (!request.url?.endsWith('/creditapp')) return { status: 404, body: {} };
  count += 1;
  // The format of an ApplicationID: 18 letters and digits.
  const applicationId = `a0B${String(count).padStart(15, '0')}`;
  return {
    status: 200,
    body: {
      IsSuccessful: true,
      ResponseText: 'Success',
      ApplicationID: applicationId,
      ReferenceID: (JSON.parse(text) as { readonly ID: string }).ID,
      pURL: null,
    },
  };
}

function createToken(): object {
  return {
    access_token: 'stub-token',
    instance_url: '',
    id: '',
    token_type: 'Bearer',
    issued_at: String(Date.now()),
    signature: '',
  };
}

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
