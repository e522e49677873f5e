// Runs the two functions on this machine, as a platform would.

import { createServer } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { handleRequest, handleSchedule } from './functions.js';

const port = process.env.PORT ?? 3000;

async function serve(incoming, outgoing) {
  const { method, headers, url, socket } = incoming;
  const hasBody = method !== 'GET' && method !== 'HEAD';
  const request = new Request(`http://localhost:${port}${url}`, {
    method,
    headers: Object.entries(headers).filter(([name]) => !name.startsWith(':')),
    ...(hasBody ? { body: Readable.toWeb(incoming), duplex: 'half' } : {}),
  });
  const response = await answer(request, url, socket.remoteAddress);
  outgoing.writeHead(response.status, [...response.headers].flat());
  await pipeline(response.body ?? [], outgoing).catch(() => outgoing.destroy());
}

createServer((incoming, outgoing) => void serve(incoming, outgoing)).listen(port, () => {
  console.log(`The functions are at http://localhost:${port}`);
});

function answer(request, url, peerAddress) {
  if (url.startsWith('/funding/')) return handleRequest(request, { peerAddress });
  if (url === '/cron') return handleSchedule(request);
  return new Response('hello', { status: url === '/hello' ? 200 : 404 });
}
