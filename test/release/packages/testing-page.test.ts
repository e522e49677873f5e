// A partner follows docs/embed/testing.md, and the test of the page passes against a page with the form.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumFlags, readTestTools } from '../../../scripts/test-tools.mjs';
import { parseBlocks, readBlocks } from '../../support/code-blocks.ts';
import { createFollower, type Follower } from '../support/follow-page.ts';
import { testingPage, untestedTestingBlock } from '../../support/followed-pages.ts';
import { findFreePorts } from '../../support/free-port.ts';

const executablePath = readTestTools().chromium?.executable;
if (!executablePath) process.stderr.write('Not run: docs/embed/testing.md. Chromium is missing.\n');

/** A process of its own serves it, because the follower waits for each command. */
const page = `
\`\`\`ini
# .env
PAGE=yes
\`\`\`
\`\`\`js
// server.js
const html =
  '<!doctype html><html lang="en"><title>Page</title>' +
  '<script type="module" src="http://localhost:8081/widget/funding-application.js"></script>' +
  '<funding-application></funding-application>';
require('node:http')
  .createServer((_request, response) => response.setHeader('content-type', 'text/html').end(html))
  .listen(5173, 'localhost', () => console.log('The page is at http://localhost:5173'));
\`\`\`
\`\`\`sh
node --env-file=.env server.js
\`\`\`
`;

describe.runIf(executablePath)('docs/embed/testing.md', () => {
  let follower: Follower;
  let sandboxPort: string;

  beforeAll(async () => {
    const ports = (await findFreePorts(3)).map(String) as [string, string, string];
    const [pagePort, bffPort] = ports;
    sandboxPort = ports[2];
    follower = createFollower({
      replaced: { 5173: pagePort, 8081: bffPort },
      variables: { BFF_PORT: bffPort, SANDBOX_PORT: sandboxPort },
    });
    // The reader uses the browser of Playwright.
    const launchOptions = { executablePath, chromiumSandbox: false, args: chromiumFlags };
    writeFileSync(
      join(follower.folder, 'playwright.config.ts'),
      `export default { reporter: 'list', use: { launchOptions: ${JSON.stringify(launchOptions)} } };`,
    );
  });

  afterAll(async () => {
    await follower?.end();
  });

  it('has a test that sends an application', async () => {
    const blocks = readBlocks(testingPage).filter(
      ({ section, text }) =>
        section.startsWith('Apply in a browser') && !text.includes(untestedTestingBlock.text),
    );
    await follower.follow([...parseBlocks('the page of the reader', page), ...blocks]);
    const leads = await (await fetch(`http://localhost:${sandboxPort}/_sandbox/leads`)).text();
    expect(leads).toContain('Rosa’s Bakery LLC');
  });
});
