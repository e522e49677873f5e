// A new user follows docs/start/index.md: from an empty folder with the two tarballs to an application that the sandbox received. Each
// block of the page is a file that is written, or a command that runs.

import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { chromium } from '@playwright/test';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { root } from '../../scripts/project.mjs';
import { chromiumFlags, readTestTools } from '../../scripts/test-tools.mjs';
import { compareOutput } from '../commands/blocks.ts';
import { findFreePorts } from '../support/free-port.ts';
import { fillForm, signAndSubmit, waitForReference } from '../support/page-applicant.ts';
import {
  type CodeBlock,
  parseBlocks,
  toCommands,
  toPartnerEnvironment,
} from '../support/page-from-docs.ts';
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
  const running: ChildProcess[] = [];
  let ports: readonly number[];
  let environment: NodeJS.ProcessEnv;

  beforeAll(async () => {
    for (const name of ['element', 'bff'] as const) {
      const { tarball } = readPackedPackage(name);
      copyFileSync(tarball, join(folder, basename(tarball)));
    }
    ports = await findFreePorts(documentedPorts.length);
    environment = {
      ...toPartnerEnvironment(),
      PORT: String(ports[0]),
      SANDBOX_PORT: String(ports[1]),
    };
  });

  afterAll(async () => {
    for (const { pid, exitCode } of running) {
      // Also the children of npx.
      if (pid !== undefined && exitCode === null) process.kill(-pid, 'SIGTERM');
    }
    await Promise.all(
      running.filter(({ exitCode }) => exitCode === null).map((child) => once(child, 'exit')),
    );
    rmSync(folder, { recursive: true, force: true });
  });

  const toMachine = (text: string) =>
    documentedPorts.reduce((all, port, index) => all.replaceAll(port, String(ports[index])), text);
  const toDocument = (text: string) =>
    documentedPorts.reduce((all, port, index) => all.replaceAll(String(ports[index]), port), text);

  /** Follows a section of the page. */
  async function follow(section: string): Promise<void> {
    let printed = '';
    for (const block of parseBlocks(section)) {
      if (block.file) writeBlock(block.file, block.text);
      else if (block.language === 'sh') printed = await enter(block);
      else refuseOutput(block.text, toDocument(printed));
    }
  }

  function writeBlock(file: string, text: string): void {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), toMachine(text));
  }

  async function enter(block: CodeBlock): Promise<string> {
    const server = servers.find(([command]) => command.test(block.text));
    if (server) return startServer(block.text, server[1]);
    const script = toCommands(block)
      .map((words) => words.join(' '))
      .join('\n');
    const options = { cwd: folder, env: environment, encoding: 'utf8' } as const;
    const { status, stdout, stderr } = spawnSync('sh', ['-ec', script], options);
    expect(status, `${script}\n${stdout}${stderr}`).toBe(0);
    return stdout;
  }

  async function startServer(command: string, ready: RegExp): Promise<string> {
    // A process group of its own, because npx starts the program as its child.
    const child = spawn('sh', ['-c', command], { cwd: folder, env: environment, detached: true });
    running.push(child);
    let text = '';
    let wasReady = false;
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (piece) => {
        text += String(piece);
        wasReady = ready.test(text);
      });
    await expect
      .poll(() => wasReady || child.exitCode !== null, { timeout: 30_000, message: command })
      .toBe(true);
    expect(wasReady, text).toBe(true);
    return text;
  }

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
    await follow(sections[0]!);
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
    await follow(sections[1]!);
    await follow(sections[2]!);
    await follow(sections[3]!);
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
    await follow(sections[5]!);
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

function refuseOutput(expected: string, actual: string): void {
  if (compareOutput(expected, actual)) return;
  throw new Error(`The command printed:\n${actual}\nThe page shows:\n${expected}`);
}

/** The lines of a program without comments. */
function readCode(text: string): readonly string[] {
  return text.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('//'));
}
