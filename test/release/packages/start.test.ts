// A new user follows docs/start/index.md: from an empty folder with the two tarballs to an application that the sandbox received. Each
// block of the page is a file that is written, or a command that runs.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { root } from '../../../scripts/project.mjs';
import { applyInTab, chromiumPath, openChromium } from '../../support/chromium.ts';
import { findBlock, readBlocks } from '../../support/code-blocks.ts';
import { createFollower, type Follower } from '../support/follow-page.ts';
import { startPage as page } from '../../support/followed-pages.ts';
import { findFreePorts } from '../../support/free-port.ts';

const blocks = readBlocks(page);
if (!chromiumPath) process.stderr.write(`Not run: the form of ${page}. Chromium is missing.\n`);

describe('the first application', () => {
  let ports: readonly number[];
  let follower: Follower;

  beforeAll(async () => {
    ports = await findFreePorts(2);
    follower = createFollower({
      replaced: { 3000: ports[0]!, 8082: ports[1]! },
      variables: { PORT: String(ports[0]), SANDBOX_PORT: String(ports[1]) },
    });
  });

  afterAll(() => follower?.end());

  const follow = (section: string) =>
    follower.follow(blocks.filter((block) => block.section === section));

  it('has these steps', () => {
    expect([...new Set(blocks.map(({ section }) => section))]).toEqual([
      '1. Create a project',
      '2. Write the page',
      '3. Write the server',
      '4. Start everything',
      '6. See what arrived',
    ]);
  });

  it('installs two packages without dependencies', async () => {
    await follow('1. Create a project');
    const lock = JSON.parse(readFileSync(join(follower.folder, 'package-lock.json'), 'utf8')) as {
      packages: Record<string, { dependencies?: object }>;
    };
    for (const name of ['funding-application', 'funding-application-bff']) {
      const entry = lock.packages[`node_modules/${name}`];
      expect(entry).toHaveProperty('integrity');
      expect(entry).not.toHaveProperty('dependencies');
    }
  });

  it('starts the sandbox, the page, and the server', async () => {
    await follow('2. Write the page');
    await follow('3. Write the server');
    await follow('4. Start everything');
  });

  it.runIf(chromiumPath)('takes an application from the page', async () => {
    const browser = await openChromium();
    try {
      const url = `http://localhost:${ports[0]}`;
      const { tab, reference, logged } = await applyInTab(browser, url, 'First Application Bakery');
      expect(reference).not.toBe('');
      expect(logged.filter((text) => text.startsWith('error'))).toEqual([]);
      expect(logged).toContainEqual(expect.stringMatching(/^submitted [0-9a-f-]{36}$/));
      await tab.goto(`http://localhost:${ports[1]}/_sandbox/`);
      await tab.getByText('First Application Bakery').filter({ visible: true }).first().waitFor();
    } finally {
      await browser.close();
    }
  });

  it.runIf(chromiumPath)('shows what arrived', async () => {
    await follow('6. See what arrived');
  });

  it('has the same server as examples/express', () => {
    const example = readCode(readFileSync(join(root, 'examples/express/server.js'), 'utf8'));
    const { text } = findBlock(page, ({ file }) => file === 'server.js');
    // The example serves a page that nobody builds.
    const lines = readCode(text.replace("express.static('dist')", "express.static('public')"));
    expect(lines.length).toBeGreaterThan(15);
    expect(lines.filter((line) => !example.includes(line))).toEqual([]);
  });

  it('has the same element as examples/react', () => {
    const example = readFileSync(join(root, 'examples/react/src/funding.tsx'), 'utf8');
    const { text } = findBlock(page, ({ file }) => file === 'src/main.jsx');
    const [own, others] = [text, example].map((source) => {
      const [tag = ''] = /<funding-application\n[^]*?<\/funding-application>/.exec(source) ?? [];
      return [...tag.matchAll(/^ +([\w-]+)=|^ +([A-Z].+)$/gm)].map(
        ([, name, content]) => name ?? content,
      );
    });
    expect(own).toEqual(others);
    expect(own).toContain('onfunding-submitted');
  });
});

/** The lines of a program without comments. */
function readCode(text: string): readonly string[] {
  return text.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('//'));
}
