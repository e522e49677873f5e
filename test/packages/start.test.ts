// A new user follows docs/start/index.md: from an empty folder with the two tarballs to an application that the sandbox received. Each
// block of the page is a file that is written, or a command that runs.

import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { chromium } from '@playwright/test';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { root } from '../../scripts/project.mjs';
import { chromiumFlags, readTestTools } from '../../scripts/test-tools.mjs';
import { createFollower, type Follower } from '../support/follow-page.ts';
import { findFreePorts } from '../support/free-port.ts';
import { fillForm, signAndSubmit, waitForReference } from '../support/page-applicant.ts';
import { parseBlocks, toPartnerEnvironment } from '../support/page-from-docs.ts';
import { readPackedPackage } from './packed.ts';

const page = readFileSync(join(root, 'docs/start/index.md'), 'utf8');
/** From `## 1. Create a project` on. */
const sections = page.split(/^(?=## \d)/m).slice(1);
const documentedPorts = ['3000', '8082'];
/** Commands that run until the reader stops them, and what they print when they are ready. */
const servers: readonly (readonly [command: RegExp, ready: RegExp])[] = [
  [/^npx funding-application-bff sandbox\n$/, /Press Ctrl\+C/],
  [/^node --env-file=\.env server\.js\n$/, /The page is at .+\n/],
];
const executablePath = readTestTools().chromium?.executable;
if (!executablePath)
  process.stderr.write('Not run: the form of docs/start/index.md. Chromium is missing.\n');

describe('the first application', () => {
  const folder = mkdtempSync(join(tmpdir(), 'start-'));
  let ports: readonly number[];
  let follower: Follower;

  beforeAll(async () => {
    for (const name of ['element', 'bff'] as const) {
      const { tarball } = readPackedPackage(name);
      copyFileSync(tarball, join(folder, basename(tarball)));
    }
    ports = await findFreePorts(documentedPorts.length);
    follower = createFollower({
      folder,
      environment: {
        ...toPartnerEnvironment(),
        PORT: String(ports[0]),
        SANDBOX_PORT: String(ports[1]),
      },
      ports: documentedPorts.map((port, index) => [port, ports[index]!]),
      servers,
    });
  });

  afterAll(async () => {
    await follower?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('has each step of the page', () => {
    expect(sections.map((section) => /^## \d\. (.+)$/m.exec(section)?.[1])).toEqual([
      'Create a project',
      'Write the page',
      'Write the server',
      'Start everything',
      'Apply',
      'See what arrived',
    ]);
  });

  it('installs two packages without dependencies', async () => {
    await follower.follow(sections[0]!);
    const lock = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8')) as {
      packages: Record<string, { dependencies?: object }>;
    };
    for (const name of ['funding-application', 'funding-application-bff']) {
      const entry = lock.packages[`node_modules/${name}`];
      expect(entry).toHaveProperty('integrity');
      expect(entry).not.toHaveProperty('dependencies');
    }
  });

  it('starts the sandbox, the page, and the server', async () => {
    await follower.follow(sections[1]!);
    await follower.follow(sections[2]!);
    await follower.follow(sections[3]!);
  });

  it.runIf(executablePath)('takes an application from the page', async () => {
    const browser = await chromium.launch({
      executablePath: executablePath!,
      chromiumSandbox: false,
      args: chromiumFlags,
    });
    try {
      const tab = await browser.newPage();
      const logged: string[] = [];
      tab.on('console', (message) => logged.push(message.text()));
      tab.on('pageerror', (error) => logged.push(`error: ${error.message}`));
      await tab.goto(`http://localhost:${ports[0]}`);
      await tab.waitForSelector('funding-application[data-language]');
      await fillForm(tab, 'First Application Bakery');
      await signAndSubmit(tab);
      expect(await waitForReference(tab)).not.toBe('');
      expect(logged.filter((text) => text.startsWith('error'))).toEqual([]);
      expect(logged).toContainEqual(expect.stringMatching(/^submitted [0-9a-f-]{36}$/));
      await tab.goto(`http://localhost:${ports[1]}/_sandbox/`);
      await tab.getByText('First Application Bakery').filter({ visible: true }).first().waitFor();
    } finally {
      await browser.close();
    }
  });

  it.runIf(executablePath)('shows what arrived', async () => {
    await follower.follow(sections[5]!);
  });

  it('has the same server as examples/express', () => {
    const example = readCode(readFileSync(join(root, 'examples/express/server.js'), 'utf8'));
    const { text } = parseBlocks(page).find(({ file }) => file === 'server.js')!;
    // The example serves a page that nobody builds.
    const lines = readCode(text.replace("express.static('dist')", "express.static('public')"));
    expect(lines.length).toBeGreaterThan(15);
    expect(lines.filter((line) => !example.includes(line))).toEqual([]);
  });

  it('has the same element as examples/react', () => {
    const example = readFileSync(join(root, 'examples/react/src/funding.tsx'), 'utf8');
    const { text } = parseBlocks(page).find(({ file }) => file === 'src/main.jsx')!;
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
