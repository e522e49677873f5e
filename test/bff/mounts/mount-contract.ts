// The behavior that every way to mount the BFF has in common, tested over real connections.

import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CloseResult } from '../../../bff/app.ts';
import project from '../../../package.json' with { type: 'json' };
import { apiHeaders, apiPaths } from '../../../shared/api/paths.ts';
import {
  createBrowser,
  createHttpSender,
  createKey,
  pageOrigin,
  toUploadHeaders,
  type Browser,
  type BrowserOptions,
  type HttpSender,
} from '../../support/applicant.ts';
import { createApplication } from '../../support/applications.ts';
import { findFreePort } from '../../support/free-port.ts';
import { startSandboxServer, type SandboxServer } from '../../support/sandbox-server.ts';
import { unlimited } from '../../support/unlimited.ts';
import { waitUntil } from '../../support/wait-until.ts';
import {
  createWidgetFolder,
  entryName,
  toIntegrity,
  type TestWidgetFolder,
} from '../../support/widget-folder.ts';

/** A server of a partner, with the BFF below `basePath` and a page of its own at `/hello`. */
export interface Host {
  /** Stops the BFF and then the server. */
  stop(): Promise<CloseResult>;
}

export interface HostOptions {
  readonly port: number;
  readonly basePath: string;
  readonly variables: Readonly<Record<string, string>>;
  readonly settings: object;
  /** If true, the host reads all bodies before the BFF. */
  readonly parsesBodies: boolean;
}

export interface MountContract {
  readonly start: (options: HostOptions) => Promise<Host>;
  /** Default: `/partner/funding`. */
  readonly basePath?: string;
  /** Creates the URL of an empty store. */
  readonly createDatabaseUrl: () => Promise<string>;
  /** Delivers what waits, where no worker does. */
  readonly deliver?: () => Promise<unknown>;
  /** False if the framework runs no body parser before the BFF. Default: true. */
  readonly canParseBodies?: boolean;
}

const script = 'export const element = 1;';
const megabyte = 1_000_000;
const settings = {
  lead: { allowedCampaignIds: ['spring-2026'] },
  limits: { ...unlimited, minimumFillSeconds: 0 },
  documents: { undoSeconds: 0, extensions: ['csv'] },
};

export function describeMount(name: string, contract: MountContract): void {
  const { basePath = '/partner/funding' } = contract;

  describe(`the BFF mounted in ${name}`, () => {
    let sandbox: SandboxServer;
    let widget: TestWidgetFolder;
    let host: Host;
    let origin: string;
    let sender: HttpSender;

    async function start(parsesBodies: boolean): Promise<Host> {
      const port = await findFreePort();
      origin = `http://localhost:${port}`;
      sender = createHttpSender([origin + basePath]);
      return contract.start({
        port,
        basePath,
        settings,
        parsesBodies,
        variables: {
          FUNDING_ENVIRONMENT: 'sandbox',
          PUBLIC_URL: `${origin}${basePath}`,
          // The tests connect from these.
          TRUSTED_PROXIES: '127.0.0.1, ::1',
          DATABASE_URL: await contract.createDatabaseUrl(),
          WIDGET_FOLDER: widget.directory,
          ...sandbox.variables,
        },
      });
    }

    beforeAll(async () => {
      sandbox = await startSandboxServer();
      widget = createWidgetFolder(`${project.version}-mount`, { [entryName]: script });
      host = await start(false);
    });

    afterAll(async () => {
      await host.stop();
      await sender.close();
      await sandbox.close();
      widget.remove();
    });

    const openBrowser = (options: Partial<BrowserOptions> = {}): Browser =>
      createBrowser({ send: sender.send, ...options });

    const lastLead = () => [...sandbox.context.state.leads.values()].at(-1)!.lead;

    it('accepts an application', async () => {
      const answer = await openBrowser().apply(createApplication(), createKey());
      expect(answer.status).toBe(201);
      expect(answer.json).toMatchObject({ status: 'accepted' });
    });

    it('delivers a document of 5 MB', async () => {
      const browser = openBrowser();
      await browser.apply(createApplication(), createKey());
      const line = 'date,amount,balance\n';
      const content = Buffer.from(line.repeat((5 * megabyte) / line.length));
      const uploaded = await browser.upload(content, 'statement.csv');
      expect(uploaded.status).toBeLessThan(203);
      await contract.deliver?.();
      await waitUntil(() =>
        [...sandbox.context.state.documents.values()].some(({ content: received }) =>
          content.equals(received),
        ),
      );
    });

    it('refuses a document that is too large before it arrives', async () => {
      const browser = openBrowser();
      await browser.apply(createApplication(), createKey());
      const answer = await sendHead(browser, 500 * megabyte);
      expect(answer).toMatch(/^HTTP\/1\.1 413 /);
      expect(answer).toContain('"code":"document-too-large"');
    });

    it('accepts a document after an aborted one', async () => {
      const browser = openBrowser();
      await browser.apply(createApplication(), createKey());
      const content = Buffer.from('date,amount\n'.repeat(10));
      await abortUpload(browser, content);
      const answer = await browser.upload(content, 'statement.csv');
      expect(answer.status).toBeLessThan(203);
    });

    it('refuses a page of another origin with a problem', async () => {
      const answer = await openBrowser({ origin: 'https://evil.example' }).apply();
      expect(answer.status).toBe(403);
      expect(answer.headers.get('content-type')).toBe('application/problem+json');
      expect(answer.json).toMatchObject({ code: 'origin-refused' });
    });

    it('sends the security headers', async () => {
      const { headers } = await openBrowser().send('GET', apiPaths.configuration);
      expect(headers.get('content-security-policy')).toBe(
        "default-src 'none'; frame-ancestors 'none'",
      );
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('access-control-allow-origin')).toBe(pageOrigin);
      expect(headers.get('x-request-id')).toMatch(/^[\da-f-]{36}$/);
    });

    it('serves the element with the integrity of its manifest', async () => {
      const manifest = await fetch(`${origin}${basePath}/widget/manifest.json`);
      const { version, hash, files } = (await manifest.json()) as {
        version: string;
        hash: string;
        files: { file: string; integrity: string }[];
      };
      const served = await fetch(`${origin}${basePath}/widget/${version}-${hash}/${entryName}`);
      expect(served.headers.get('access-control-allow-origin')).toBe('*');
      expect(toIntegrity(await served.text())).toBe(
        files.find(({ file }) => file === entryName)?.integrity,
      );
    });

    it('serves its page with links below the base path', async () => {
      const page = await fetch(`${origin}${basePath}/apply`);
      const html = await page.text();
      expect(page.status).toBe(200);
      expect(page.headers.get('content-security-policy')).toContain(
        `connect-src ${origin}${basePath}/v1/`,
      );
      const links = [...html.matchAll(/ (?:src|href)="(\/[^"]*)"/g)].map(([, link = '']) => link);
      expect(links.length).toBeGreaterThan(2);
      for (const link of links) {
        expect(link.startsWith(`${basePath}/`)).toBe(true);
        // The configuration is for the page only.
        const headers = { origin, 'sec-fetch-site': 'same-origin' };
        expect((await fetch(origin + link, { headers })).status).toBe(200);
      }
    });

    it('describes its address in the OpenAPI document', async () => {
      const answer = await fetch(`${origin}${basePath}/openapi.json`);
      expect(await answer.json()).toMatchObject({ servers: [{ url: `${origin}${basePath}` }] });
    });

    it('answers nothing outside of the base path', async () => {
      for (const path of ['/v1/configuration', '/livez', '/widget/manifest.json']) {
        expect((await fetch(origin + path)).status).toBe(404);
      }
    });

    it('leaves the other paths to the host', async () => {
      const answer = await fetch(`${origin}/hello`);
      expect(answer.status).toBe(200);
      expect(await answer.text()).toContain('hello');
    });

    it('reads the address of the applicant from a trusted proxy', async () => {
      const headers = { 'x-forwarded-for': '198.51.100.7, 203.0.113.9' };
      await openBrowser({ headers }).apply(createApplication(), createKey());
      expect(lastLead()).toMatchObject({ Ip: '203.0.113.9', SignatureIp: '203.0.113.9' });
    });

    it('answers an active request before it stops', async () => {
      const browser = openBrowser();
      await browser.send('POST', apiPaths.session);
      const { promise: held, resolve: release } = Promise.withResolvers<void>();
      sandbox.holdLeads(held);
      const leads = sandbox.leads();
      const answer = browser.apply(createApplication(), createKey());
      await waitUntil(() => sandbox.leads() > leads);
      const stopped = host.stop();
      release();
      expect((await answer).json).toMatchObject({ status: 'accepted' });
      expect(await stopped).toBe('recorded');
      host = await start(false);
    });

    it.runIf(contract.canParseBodies ?? true)(
      'names a body parser that runs before it',
      async () => {
        await host.stop();
        host = await start(true);
        const browser = openBrowser();
        const answer = await browser.send('POST', apiPaths.session, '{}');
        expect(answer.status).toBe(500);
        expect(answer.json).toMatchObject({
          code: 'internal',
          detail: expect.stringContaining('body parser'),
        });
        expect((await fetch(`${origin}/hello`)).status).toBe(200);
      },
    );

    /** Sends the headers of an upload, and waits for the response without sending the body. */
    function sendHead(browser: Browser, bytes: number): Promise<string> {
      const socket = connect(Number(new URL(origin).port), 'localhost');
      socket.write(toUploadHead(browser, bytes));
      return new Promise((resolve, reject) => {
        let text = '';
        socket.on('error', reject);
        socket.on('data', (chunk) => {
          text += String(chunk);
          if (!text.includes('"code"')) return;
          resolve(text);
          socket.destroy();
        });
      });
    }

    /** Sends half of the body, and closes the connection. */
    async function abortUpload(browser: Browser, content: Uint8Array): Promise<void> {
      const socket = connect(Number(new URL(origin).port), 'localhost');
      socket.on('error', () => undefined);
      socket.write(toUploadHead(browser, content.length));
      socket.write(content.subarray(0, content.length / 2));
      await new Promise((resolve) => {
        socket.end(() => resolve(undefined));
      });
      socket.destroy();
    }

    function toUploadHead(browser: Browser, bytes: number): string {
      const cookie = [...browser.cookies].map(([cookieName, value]) => `${cookieName}=${value}`);
      const headers = {
        host: new URL(origin).host,
        origin: pageOrigin,
        cookie: cookie.join('; '),
        [apiHeaders.request]: '1',
        ...toUploadHeaders('statement.csv', bytes),
      };
      const lines = Object.entries(headers).map(([header, value]) => `${header}: ${value}`);
      return `POST ${basePath}${apiPaths.documents} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`;
    }
  });
}
