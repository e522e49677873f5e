// A partner follows docs/deploy/rehearsal.md: from an empty folder with the two tarballs to a submitted application. A Vue page and
// the BFF run behind Caddy, with TLS. Each block of the page is a file that is written, or a command that runs.

import { expect, test } from '@playwright/test';
import { readTestTools } from '../../../scripts/test-tools.mjs';
import { readBlocks } from '../../support/code-blocks.ts';
import { createFollower } from '../support/follow-page.ts';
import { rehearsalPage as page } from '../../support/followed-pages.ts';
import { findFreePorts } from '../../support/free-port.ts';
import { fillForm, signAndSubmit, waitForReference } from '../../support/page-applicant.ts';

const { caddy } = readTestTools();
if (!caddy) process.stderr.write(`Not run: ${page}. Caddy is missing.\n`);

test('a Vue page and the BFF behind Caddy take an application', async ({ browser }) => {
  test.skip(!caddy, 'Caddy is missing');
  const [httpsPort, httpPort, bffPort, sandboxPort] = (await findFreePorts(4)) as [
    number,
    number,
    number,
    number,
  ];
  const follower = createFollower({
    replaced: { 8443: httpsPort, 8880: httpPort, 8081: bffPort, 8082: sandboxPort },
    variables: {
      BFF_PORT: String(bffPort),
      BFF_UPSTREAMS: `127.0.0.1:${bffPort}`,
      SANDBOX_PORT: String(sandboxPort),
    },
  });
  try {
    const blocks = readBlocks(page);
    expect([...new Set(blocks.map(({ section }) => section))]).toEqual([
      '1. Install the packages',
      '2. Configure the BFF',
      '3. Build the page',
      '4. Configure Caddy',
      '5. Start everything',
      '6. Check the BFF behind Caddy',
    ]);
    await follower.follow(blocks);

    const context = await browser.newContext({ ignoreHTTPSErrors: true });
    const tab = await context.newPage();
    await tab.goto(`https://www.millstone.localhost:${httpsPort}/`);
    await tab.locator('funding-application').getByRole('button').first().waitFor();
    await fillForm(tab, 'Rehearsal Bakery LLC');
    await signAndSubmit(tab);
    const reference = await waitForReference(tab);
    await expect(tab.getByText('is on its way')).toBeVisible();
    expect(reference).not.toBe('');
    await context.close();
    const response = await fetch(`http://localhost:${sandboxPort}/_sandbox/leads`);
    expect(await response.text()).toContain('Rehearsal Bakery LLC');
  } finally {
    await follower.end();
  }
});
