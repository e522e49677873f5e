// Builds the page of a framework exactly as its page in docs/embed says: the commands and the files are the code blocks of that page.

import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { basename, dirname, extname, join } from 'node:path';
import { childEnvironment, readJson, root } from '../../scripts/project.mjs';

export interface CodeBlock {
  readonly language: string;
  /** The path in the first line of the block, if it has one. */
  readonly file: string | undefined;
  /** The content, without the line that names the file. */
  readonly text: string;
}

export interface BuiltPage {
  readonly folder: string;
  /** The folder that `vite build` has written. */
  readonly dist: string;
  readonly remove: () => void;
}

const fileLine = /^(?:\/\/|#|<!--) ([\w./-]*\.[\w.-]+|Caddyfile)(?: -->)?$/;
const contentTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
};

/** The code blocks of a page in docs/embed, in order. */
export function readBlocks(page: string): readonly CodeBlock[] {
  return parseBlocks(readFileSync(join(root, 'docs', 'embed', `${page}.md`), 'utf8'));
}

/** The code blocks of a text in Markdown, in order. */
export function parseBlocks(markdown: string): readonly CodeBlock[] {
  return [...markdown.matchAll(/^( *)```(\w[\w ]*)\n(.*?)\n\1```$/gms)].map(
    ([, indent = '', language = '', content = '']) => {
      const lines = content.split('\n').map((line) => line.slice(indent.length));
      const file = fileLine.exec(lines[0] ?? '')?.[1];
      return { language, file, text: `${lines.slice(file ? 1 : 0).join('\n')}\n` };
    },
  );
}

/**
 * Follows the page in a new folder: installs from the registry, with the versions of the project's lockfile, writes the files,
 * checks the types, and builds. Blocks of `sh` run here; blocks of `bash` are for the terminal of the BFF.
 *
 * @param page the name of a page in docs/embed.
 * @param tarballs the packed packages that the page installs.
 * @param bffUrl takes precedence over `.env`, by Vite's `.env.local`.
 */
export function buildPageFromDocs(
  page: string,
  { tarballs, bffUrl }: { readonly tarballs: readonly string[]; readonly bffUrl: string },
): BuiltPage {
  const folder = mkdtempSync(join(tmpdir(), `${page}-page-`));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    for (const tarball of tarballs) copyFileSync(tarball, join(folder, basename(tarball)));
    const blocks = readBlocks(page);
    const commands = blocks.filter(({ language }) => language === 'sh').flatMap(toCommands);
    const isInstall = ([npm = '', command]: readonly string[]) =>
      npm === 'npm' && command !== 'pkg';
    // The page adds the form to a project first, and creates the project for readers who have none.
    const [init, others] = [
      commands.filter(([, command]) => command === 'init' || command === 'pkg'),
      commands.filter(([, command]) => command !== 'init' && command !== 'pkg'),
    ];
    for (const command of [...init, ...others.filter(isInstall)]) run(folder, command);
    for (const { file, text } of blocks) {
      if (!file) continue;
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(join(folder, file), text);
    }
    writeFileSync(join(folder, '.env.local'), `VITE_BFF_URL=${bffUrl}\n`);
    for (const command of others.filter((one) => !isInstall(one))) run(folder, command);
    return { folder, dist: join(folder, 'dist'), remove };
  } catch (error) {
    remove();
    throw error;
  }
}

/** Serves a built page. */
export async function servePage(dist: string, port: number): Promise<Server> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const file = join(dist, pathname === '/' ? 'index.html' : pathname);
    try {
      const content = readFileSync(file);
      response.writeHead(200, { 'Content-Type': contentTypes[extname(file)] ?? 'text/plain' });
      response.end(content);
    } catch {
      response.writeHead(404).end();
    }
  });
  server.listen(port, 'localhost');
  await once(server, 'listening');
  return server;
}

export function toCommands({ text }: CodeBlock): readonly (readonly string[])[] {
  return text
    .trim()
    .split('\n')
    .map((line) => line.split(' '))
    .map(([name = '', ...args]) =>
      name === 'npm' && args[0] === 'install' ? [name, ...args.map(pin)] : [name, ...args],
    );
}

/** Names the version that the project's lockfile has, so that the test is the same tomorrow. */
function pin(argument: string, index: number): string {
  if (index === 0 || argument.startsWith('-') || argument.startsWith('.')) return argument;
  const { packages } = readJson(join(root, 'package-lock.json'));
  const { version } = packages[`node_modules/${argument}`] ?? {};
  if (!version) throw new Error(`package-lock.json does not contain ${argument}`);
  return `${argument}@${version}`;
}

/** The variables of a partner's terminal. */
export function toPartnerEnvironment(): NodeJS.ProcessEnv {
  const environment: NodeJS.ProcessEnv = childEnvironment({
    npm_config_prefer_offline: 'true',
    npm_config_audit: 'false',
    npm_config_fund: 'false',
    npm_config_loglevel: 'error',
  });
  // vitest sets it to `test`, and a partner's terminal has none.
  delete environment['NODE_ENV'];
  return environment;
}

function run(folder: string, [name = '', ...args]: readonly string[]): void {
  const environment = toPartnerEnvironment();
  const { status, stdout, stderr } = spawnSync(name, args, {
    cwd: folder,
    env: environment,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`${[name, ...args].join(' ')}:\n${stdout}${stderr}`);
}
