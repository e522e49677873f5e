// A mock of Turnstile for this machine: a script, a frame with a button, and `siteverify`. It does not detect programs.

import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Hono } from 'hono';

export interface MockProviderOptions {
  readonly siteKey: string;
  readonly secret: string;
}

const folder = join(import.meta.dirname, 'provider');
const files = {
  '/api.js': 'text/javascript; charset=utf-8',
  '/frame.js': 'text/javascript; charset=utf-8',
  '/frame.html': 'text/html; charset=utf-8',
} as const;

export function createMockProvider({ siteKey, secret }: MockProviderOptions): Hono {
  const tokens = new Set<string>();
  const app = new Hono();

  for (const [path, mediaType] of Object.entries(files)) {
    app.get(path, async (c) =>
      c.body(await readFile(join(folder, path)), 200, { 'content-type': mediaType }),
    );
  }

  app.post('/token', (c) => {
    if (c.req.query('sitekey') !== siteKey) return c.text('', 400);
    const token = randomUUID();
    tokens.add(token);
    return c.text(token);
  });

  app.post('/siteverify', async (c) => {
    const form = await c.req.parseBody();
    if (form['secret'] !== secret) {
      return c.json({ success: false, 'error-codes': ['invalid-input-secret'] });
    }
    // A token is valid once, as with the real providers.
    return tokens.delete(String(form['response']))
      ? c.json({ success: true, hostname: 'localhost', 'error-codes': [] })
      : c.json({ success: false, 'error-codes': ['timeout-or-duplicate'] });
  });

  return app;
}
