// A partner follows docs/deploy/rehearsal.md: from an empty folder with the two tarballs to a submitted application. A Vue page and
// the BFF run behind Caddy, with TLS. Each block of the page is a file that is written, or a command that runs.

import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { root } from '../../scripts/project.mjs';
import { readTestTools } from '../../scripts/test-tools.mjs';
import { createFollower } from '../support/follow-page.ts';
import { findFreePorts } from '../support/free-port.ts';
import { fillForm, signAndSubmit, waitForReference } from '../support/page-applicant.ts';
import { toPartnerEnvironment } from '../support/page-from-docs.ts';

const page = readFileSync(join(root, 'docs/deploy/rehearsal.md'), 'utf8');
/** From `## 1. Install the packages` on. */
const sections = page.split(/^(?=## )/m).slice(1);
const documentedPorts = ['8443', '8880', '8081', '8082'];
/** Commands that run until the reader stops them, and what they print when they are ready. */
const servers: readonly (readonly [command: RegExp, ready: RegExp])[] = [
  [/^npx funding-application-bff sandbox\n$/, /Press Ctrl\+C/],
  [/^npx funding-application-bff --dotenv=bff\.env\n$/, /listens on .+\n/],
  [/^caddy run\n/m, /serving initial configuration/],
];
const { caddy } = readTestTools();
if (!caddy) process.stderr.write('Not run: docs/deploy/rehearsal.md. Caddy is missing.\n');

test('a Vue page and the BFF behind Caddy take an application', async ({ browser }) => {
  test.skip(!caddy, 'Caddy is missing');
  test.setTimeout(180_000);
  const home = mkdtempSync(join(tmpdir(), 'funding-application-rehearsal-'));
  const folder = join(home, 'rehearsal');
  mkdirSync(folder);
  for (const name of ['funding-application.tgz', 'funding-application-bff.tgz'])
    copyFileSync(join(root, 'dist/packages', name), join(folder, name));
  const ports = await findFreePorts(documentedPorts.length);
  const [httpsPort, , bffPort, sandboxPort] = ports;
  const follower = createFollower({
    folder,
    environment: {
      ...toPartnerEnvironment(),
      HOME: home,
      XDG_DATA_HOME: join(home, '.local/share'),
      XDG_CONFIG_HOME: join(home, '.config'),
      NO_COLOR: '1',
      FORCE_COLOR: '0',
      npm_config_cache:
        process.env['npm_config_cache'] ?? join(process.env['HOME'] ?? home, '.npm'),
      BFF_PORT: String(bffPort),
      BFF_UPSTREAMS: `127.0.0.1:${bffPort}`,
      SANDBOX_PORT: String(sandboxPort),
    },
    ports: documentedPorts.map((port, index) => [port, ports[index]!]),
    servers,
  });
  try {
    expect(sections.map((section) => /^## (.+)$/m.exec(section)?.[1])).toEqual([
      '1. Install the packages',
      '2. Configure the BFF',
      '3. Build the page',
      '4. Configure Caddy',
      '5. Start everything',
      '6. Check the BFF behind Caddy',
      '7. Apply',
      'If something is different',
    ]);
    for (const section of sections) await follower.follow(section);

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
    await follower.stop();
    rmSync(home, { recursive: true, force: true });
  }
});
