// Serves the files of a folder, as the server of a partner's page does.

import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { extname, join } from 'node:path';

const contentTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
};

export async function servePage(folder: string, port: number): Promise<Server> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const file = join(folder, pathname === '/' ? 'index.html' : pathname);
    try {
      const content = readFileSync(file);
      response.writeHead(200, { 'Content-Type': contentTypes[extname(file)] ?? 'text/plain' });
      response.end(content);
    } catch {
      response.writeHead(404).end();
    }
  });
  server.listen(port, 'localhost');
  await once(server, 'listening');
  return server;
}
