// Follows the pages that mount the BFF in a server: each installs, writes its files, starts, and takes an application.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, inject, it } from 'vitest';
import { root } from '../../../scripts/project.mjs';
import { applyInTab, chromiumPath, openChromium } from '../../support/chromium.ts';
import { createBrowser, createHttpSender, createKey } from '../../support/applicant.ts';
import { createApplication } from '../../support/applications.ts';
import { parseBlocks, readBlocks, readTab, type CodeBlock } from '../../support/code-blocks.ts';
import { createFollower, type Follower } from '../support/follow-page.ts';
import {
  frameworksPage,
  mountPage,
  serverlessPage,
  untestedNextBlocks,
} from '../../support/followed-pages.ts';
import { findFreePorts } from '../../support/free-port.ts';
import { describePostgres } from '../../support/postgres.ts';
import { createSchema } from '../../support/postgres-schema.ts';

/** The running server, after all blocks of a page are followed. */
interface Followed {
  readonly follower: Follower;
  /** Of the server. */
  readonly origin: string;
  readonly sandboxUrl: string;
}

/** An applicant without a browser fills in the form at once, and comes from a campaign. */
const settings = {
  lead: { allowedCampaignIds: ['spring-2026'] },
  limits: { minimumFillSeconds: 0 },
};
if (!chromiumPath)
  process.stderr.write(`Not run: the form of Next in ${frameworksPage}. Chromium is missing.\n`);

describe('the page about mounting', () => {
  it.each(['Express', 'Fastify', 'Hono'])(
    'leads to a page that takes an application: %s',
    async (tab) => {
      await follow(readTab(mountPage, tab), {}, async ({ follower, origin }) => {
        const html = await (await fetch(origin)).text();
        expect(html).toContain('<funding-application');
        const [, script = ''] = /src="([^"]+)"/.exec(html) ?? [];
        expect((await fetch(origin + script)).headers.get('content-type')).toMatch(/javascript/);
        const lock = JSON.parse(readFileSync(join(follower.folder, 'package-lock.json'), 'utf8'));
        const installed = lock.packages['node_modules/funding-application-bff'];
        expect(installed).toHaveProperty('integrity');
        expect(installed).not.toHaveProperty('dependencies');
      });
    },
  );
});

// The examples run with these files.
it.each([
  ['express', readTab(mountPage, 'Express')],
  ['fastify', readTab(mountPage, 'Fastify')],
  ['hono', readTab(mountPage, 'Hono')],
  ['next', readTab(mountPage, 'Next')],
  ['serverless', readBlocks(serverlessPage)],
])('examples/%s has the files of its page', (name, blocks) => {
  const files = blocks.filter(({ file }) => file && /\.(?:js|mjs|html)$/.test(file));
  expect(files.length).toBeGreaterThan(1);
  for (const { file, text } of files)
    expect(readFileSync(join(root, 'examples', name, file!), 'utf8').trim(), file).toBe(
      text.trim(),
    );
});

describePostgres(serverlessPage, () => {
  it('leads to functions that take an application', async () => {
    const { url, drop } = await createSchema(inject('postgresUrl')!);
    const documented = 'postgres://funding:password@localhost:5432/funding';
    try {
      await follow(readBlocks(serverlessPage), { [documented]: url }, async ({ origin }) => {
        expect((await fetch(`${origin}/cron`)).status).toBe(401);
        const script = await fetch(`${origin}/funding/widget/funding-application.js`);
        expect(script.status).toBe(200);
      });
    } finally {
      await drop();
    }
  });
});

describe(`Next in ${frameworksPage} and ${mountPage}`, () => {
  it('leads to a form that takes an application', async () => {
    // As create-next-app makes it, without a type of modules.
    const layout = readFileSync(join(root, 'examples/next/app/layout.js'), 'utf8');
    const application = parseBlocks(
      'the application of the reader',
      `\`\`\`sh
npm init --yes
npm pkg delete type
npm install next react react-dom typescript @types/node @types/react
\`\`\`
\`\`\`js
// app/layout.js
${layout}\`\`\``,
    );
    // The reader's own BFF is the mounted one.
    const component = readNextBlocks(frameworksPage).map((block) => ({
      ...block,
      text: block.text.replace('http://localhost:8081', 'http://localhost:3000/funding'),
    }));
    const blocks = [...application, ...component, ...readNextBlocks(mountPage)];
    await follow(blocks, {}, async ({ origin, sandboxUrl }) => {
      if (!chromiumPath) return;
      const browser = await openChromium();
      try {
        const url = `${origin}/apply`;
        const { reference, logged } = await applyInTab(browser, url, 'Bakery in Next');
        expect(logged.filter((text) => text.startsWith('error'))).toEqual([]);
        expect(logged).toContainEqual(expect.stringMatching(/^submitted [0-9a-f-]{36}$/));
        expect(reference).not.toBe('');
        const leads = await (await fetch(`${sandboxUrl}/_sandbox/leads`)).text();
        expect(leads).toContain('Bakery in Next');
      } finally {
        await browser.close();
      }
    });
  });
});

function readNextBlocks(page: string): readonly CodeBlock[] {
  const untested = untestedNextBlocks[page] ?? [];
  return readTab(page, 'Next').filter(
    ({ text }) => !untested.some((block) => text.includes(block.text)),
  );
}

/** Follows the blocks, applies without a browser, and checks the result further. */
async function follow(
  blocks: readonly CodeBlock[],
  replaced: Readonly<Record<string, string>>,
  check?: (followed: Followed) => Promise<void>,
): Promise<void> {
  const [port, sandboxPort] = (await findFreePorts(2)).map(String) as [string, string];
  const follower = createFollower({
    replaced: { ...replaced, 3000: port, 8082: sandboxPort },
    variables: {
      PORT: port,
      SANDBOX_PORT: sandboxPort,
      FUNDING_SETTINGS: 'settings.json',
    },
  });
  try {
    writeFileSync(join(follower.folder, 'settings.json'), JSON.stringify(settings));
    await follower.follow(blocks);
    const origin = `http://localhost:${port}`;
    const sender = createHttpSender([`${origin}/funding`]);
    const headers = { 'sec-fetch-site': 'same-origin' };
    const applicant = createBrowser({ send: sender.send, origin, headers });
    const answer = await applicant.apply(createApplication(), createKey());
    expect(answer.json).toMatchObject({ status: 'accepted' });
    await sender.close();
    await check?.({ follower, origin, sandboxUrl: `http://localhost:${sandboxPort}` });
  } finally {
    await follower.end();
  }
}
