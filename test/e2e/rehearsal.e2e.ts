// docs/deploy/rehearsal.md from an empty folder to a submitted application: a Vue page and the BFF behind Caddy, with TLS.

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { childEnvironment, root } from '../../scripts/project.mjs';
import { readTestTools } from '../../scripts/test-tools.mjs';
import { readCodeBlocks } from '../deployment/page-commands.ts';
import { isReady } from '../support/bff-process.ts';
import { findFreePorts } from '../support/free-port.ts';
import { fillForm, signAndSubmit, waitForReference } from '../support/page-applicant.ts';

const page = 'docs/deploy/rehearsal.md';
/** Languages of the blocks that are files. Their first line is a comment with the name. */
const fileLanguages = ['ini', 'html', 'js', 'vue', 'txt'];
const fileName = /^(?:#|\/\/|<!--) (\S+)(?: -->)?\n/;
const startsServer = (block: string) => /run sandbox|main\.js\n$|caddy run/.test(block);

test('a Vue page and the BFF behind Caddy take an application', async ({ browser }) => {
  test.skip(!readTestTools().caddy, 'caddy is not installed');
  test.setTimeout(180_000);
  const home = mkdtempSync(join(tmpdir(), 'funding-application-rehearsal-'));
  const folder = join(home, 'rehearsal');
  const ports = await findFreePorts(4);
  const documented = ['8443', '8880', '8081', '8082'];
  const [httpsPort, , bffPort, sandboxPort] = ports;
  const adapt = (text: string) =>
    documented.reduce((all, port, index) => all.replaceAll(port, String(ports[index])), text);
  const env = {
    ...childEnvironment(),
    HOME: home,
    XDG_DATA_HOME: join(home, '.local/share'),
    XDG_CONFIG_HOME: join(home, '.config'),
    PROJECT: root,
    NO_COLOR: '1',
    FORCE_COLOR: '0',
    npm_config_cache: process.env['npm_config_cache'] ?? join(process.env['HOME'] ?? home, '.npm'),
  };
  const servers: ReturnType<typeof spawn>[] = [];
  const run = (block: string) => {
    const { status, stdout, stderr } = spawnSync('sh', ['-ec', adapt(block)], {
      // The page's `cd` holds for the steps that follow.
      cwd: block.includes('mkdir ~') ? home : folder,
      env,
      encoding: 'utf8',
    });
    expect(status, `${block}${stdout}${stderr}`).toBe(0);
    return stdout;
  };
  try {
    const blocks = readCodeBlocks(page);
    const steps = blocks.filter((block) => !startsServer(block));
    expect(steps[0]).toContain('npm run build');
    const [create = '', check = '', install = '', build = '', copy = '', curl = '', ...others] =
      steps.slice(1);
    expect(others).toEqual([]);
    run(create);
    const writeFiles = (isWanted: (name: string) => boolean) => {
      for (const block of fileLanguages.flatMap((language) => readCodeBlocks(page, language))) {
        const [line = '', name = ''] = fileName.exec(block) ?? [];
        expect(name, block).not.toBe('');
        // Vue and HTML files begin with their first tag.
        const text = name.startsWith('page/') ? block.slice(line.length) : block;
        if (isWanted(name)) writeFileSync(join(folder, name), adapt(text));
      }
    };
    writeFiles((name) => !name.startsWith('page/'));
    expect(run(check)).toMatch(/environment +sandbox[^]*widget +\d/);
    run(install);
    writeFiles((name) => name.startsWith('page/'));
    expect(run(build)).toContain('dist/index.html');
    run(copy);

    for (const block of blocks.filter(startsServer)) {
      // A process group of its own, because npm starts the sandbox as its child.
      const server = spawn('sh', ['-ec', adapt(block)], {
        cwd: folder,
        env,
        stdio: 'ignore',
        detached: true,
      });
      servers.push(server);
    }
    await expect.poll(() => isReady(`http://localhost:${sandboxPort}/_sandbox/`)).toBe(true);
    await expect.poll(() => isReady(`http://localhost:${bffPort}/readyz`)).toBe(true);
    await expect
      .poll(() => spawnSync('sh', ['-ec', adapt(curl)], { env, encoding: 'utf8' }).stdout)
      .toBe('{"status":"alive"}');

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
    for (const server of servers) {
      if (server.exitCode !== null || server.pid === undefined) continue;
      process.kill(-server.pid, 'SIGTERM');
      await once(server, 'exit');
    }
    rmSync(home, { recursive: true, force: true });
  }
});
