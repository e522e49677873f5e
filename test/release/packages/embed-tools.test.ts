// Checks the code of docs/embed with the tools of its readers: vue-tsc, svelte-check, Angular's compiler, PHP, and Liquid. Opens what
// Angular, WordPress, and Shopify make of it in Chromium.

import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Browser, Page } from '@playwright/test';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { childEnvironment, readJson, root } from '../../../scripts/project.mjs';
import { readTestTools } from '../../../scripts/test-tools.mjs';
import { openChromium } from '../../support/chromium.ts';
import { findBlock, readTab } from '../../support/code-blocks.ts';
import { frameworksPage } from '../../support/followed-pages.ts';
import { findFreePort } from '../../support/free-port.ts';
import { fillForm, signAndSubmit, waitForReference } from '../../support/page-applicant.ts';
import { servePage } from '../../support/serve-page.ts';
import { startStack, type Stack } from '../../support/stack.ts';
import { readPackedPackage } from './packed.ts';
import { findLockedVersion, linkModules } from '../support/modules.ts';

const { chromium: browserTool, php } = readTestTools();
const tools = join(import.meta.dirname, 'framework-tools');
const documentedUrl = 'https://apply.partner.example';
/** In the sandbox. */
const localUrl = 'http://localhost:8081';

if (!browserTool)
  process.stderr.write('Not run: Angular, WordPress, and Shopify in a browser. No Chromium.\n');
if (!php) process.stderr.write('Not run: the code for WordPress. PHP is missing.\n');

interface Checker {
  readonly tab: string;
  /** File of the page. */
  readonly component: string;
  readonly command: readonly [string, ...string[]];
  /** Added to the settings of TypeScript. */
  readonly settings: object;
  readonly changes: readonly (readonly [right: string, wrong: string, message: string])[];
}

const checkers = parse(
  readFileSync(join(root, 'test/fixtures/framework-checkers.yaml'), 'utf8'),
) as readonly Checker[];

describe('docs/embed, with the tools of its readers', () => {
  const folder = mkdtempSync(join(tmpdir(), 'embed-tools-'));
  let port: number;
  let stack: Stack;
  let browser: Browser | undefined;

  beforeAll(async () => {
    for (const file of ['package.json', 'package-lock.json'])
      copyFileSync(join(tools, file), join(folder, file));
    run(folder, 'npm', ['ci', '--ignore-scripts']);
    const element = join(folder, 'node_modules', 'funding-application');
    mkdirSync(element);
    run(element, 'tar', ['-xzf', readPackedPackage('element').tarball, '--strip-components=1']);
    // For the types of `import.meta.env`.
    linkModules(folder, ['vite']);
    if (!browserTool) return;
    port = await findFreePort();
    [stack, browser] = await Promise.all([
      startStack({ bff: { ALLOWED_ORIGINS: `http://localhost:${port}` } }),
      openChromium(),
    ]);
  });

  afterAll(async () => {
    await browser?.close();
    await stack?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('has the frameworks of the project', () => {
    const { devDependencies } = readJson(join(tools, 'package.json'));
    for (const name of ['svelte', 'vue'])
      expect(devDependencies[name]).toBe(findLockedVersion(name));
  });

  describe.each(checkers)('$command.0', ({ tab, component, command, settings, changes }) => {
    let errors: readonly string[];
    const toWrongName = (index: number) => component.replace(/\.(\w+)$/, `-wrong-${index}.$1`);

    beforeAll(() => {
      const project = writeProject(tab, settings);
      const text = readFileSync(join(project, component), 'utf8');
      for (const [index, [right, wrong]] of changes.entries()) {
        if (!text.includes(right)) throw new Error(`${component} does not contain ${right}`);
        writeFileSync(join(project, toWrongName(index)), text.replace(right, wrong));
      }
      errors = runTool(project, command).split('\n');
    });

    it('accepts the page', () => {
      const others = errors.filter((line) => /\berror\b/i.test(line) && !line.includes('-wrong-'));
      expect(others.filter((line) => !line.includes('COMPLETED'))).toEqual([]);
    });

    it.each(changes.map(([, wrong, message], index) => [wrong || 'no schemas', message, index]))(
      'rejects %s',
      (_, message, index) => {
        const own = errors.filter((line) => line.includes(toWrongName(Number(index))));
        expect(own.join('\n')).toContain(message);
      },
    );
  });

  it.runIf(browserTool)('sends an application from the page of Angular', async () => {
    const project = writeProject('Angular', {
      angularCompilerOptions: { strictTemplates: true },
    });
    // A new project has these two files. Angular's own builder compiles Angular ahead, and here the browser does.
    writeFileSync(
      join(project, 'src/main.ts'),
      `import '@angular/compiler';
      import { bootstrapApplication } from '@angular/platform-browser';
      import { App } from './app/app';
      void bootstrapApplication(App);`,
    );
    writeFileSync(
      join(project, 'index.html'),
      '<app-root></app-root><script type="module" src="/built/main.js"></script>',
    );
    expect(runTool(project, ['ngc', '--project', 'tsconfig.json'])).toBe('');
    run(project, process.execPath, [join(root, 'node_modules/vite/bin/vite.js'), 'build']);

    await usePage(join(project, 'dist'), async (page, logged) => {
      const form = page.locator('funding-application');
      expect(await form.evaluate((element) => Reflect.get(element, 'prefill'))).toEqual({
        business: { name: 'Rosa’s Bakery LLC' },
      });
      await fillForm(page, 'Bakery in Angular');
      await signAndSubmit(page);
      const reference = await waitForReference(page);
      expect(reference).not.toBe('');
      expect(logged).toContainEqual(expect.stringMatching(/^info: submitted [\da-f-]{36}$/));
    });
  });

  describe.runIf(php)('the code for WordPress', () => {
    const snippet = join(folder, 'functions.php');
    const [code, content] = ['php', 'html'].map((language) => findText('wordpress', language));

    beforeAll(() => {
      writeFileSync(snippet, `<?php\n${stack ? toLocal(code!) : code}`);
    });

    it('has no syntax error', () => {
      expect(run(folder, php!, ['-l', snippet])).toContain('No syntax errors detected');
    });

    it('loads the script on the page, without a version', () => {
      const url = `${stack?.bffUrl ?? documentedUrl}/widget/funding-application.js`;
      expect(print('apply')).toContain(`<script type="module" src="${url}"`);
    });

    it('loads no script on another page', () => {
      expect(print('about')).not.toContain('<script');
    });

    it.runIf(browserTool)('shows the form', async () => {
      const site = writeSite(print('apply'));
      await usePage(site, (page) => page.locator('funding-application #step-heading').waitFor());
    });

    function print(slug: string): string {
      const page = join(root, 'test/fixtures/wordpress.php');
      // A warning of PHP is output, too.
      const settings = ['-d', 'display_errors=1', '-d', 'error_reporting=-1'];
      const html = run(folder, php!, [...settings, page, snippet, slug, content!]);
      expect(html).toMatch(/^<!DOCTYPE html>/);
      return html;
    }
  });

  describe('the section for Shopify', () => {
    const source = findText('shopify', 'liquid');
    const [template = '', schema = ''] = source.split(/{% (?:end)?schema %}/);
    const { settings } = JSON.parse(schema) as {
      settings: readonly { readonly id: string; readonly default: string }[];
    };

    it('passes Shopify’s checks', () => {
      expect(checkTheme(source)).toBe('');
    });

    it('has only settings of Shopify', () => {
      expect(checkTheme(source.replace('"type": "text"', '"type": "txt"'))).toContain(
        'Value is not accepted',
      );
    });

    it('uses each of its settings', () => {
      const used = [...template.matchAll(/section\.settings\.(\w+)/g)].map(([, id]) => id);
      expect(new Set(used)).toEqual(new Set(settings.map(({ id }) => id)));
    });

    it('escapes the text of the merchant', async () => {
      const html = await render({ fallback: '</funding-application><b>' });
      expect(html).toContain('&lt;/funding-application&gt;&lt;b&gt;');
    });

    it.runIf(browserTool)('shows the form in the language of the shop', async () => {
      const site = writeSite(await render({ bff_url: stack.bffUrl }));
      await usePage(site, async (page) => {
        const form = page.locator('funding-application[data-language]');
        expect(await form.getAttribute('locale')).toBe('en');
        await page.locator('funding-application #step-heading').waitFor();
      });
    });

    async function render(entered: Readonly<Record<string, string>>): Promise<string> {
      const { Liquid } = createRequire(join(folder, 'package.json'))('liquidjs') as {
        Liquid: new (options: object) => {
          parseAndRender: (template: string, scope: object) => Promise<string>;
        };
      };
      const defaults = Object.fromEntries(settings.map((setting) => [setting.id, setting.default]));
      return await new Liquid({ strictVariables: true, strictFilters: true }).parseAndRender(
        template,
        {
          section: { settings: { ...defaults, ...entered } },
          request: { locale: { iso_code: 'en' } },
        },
      );
    }

    /** The smallest theme that Shopify's checks accept, with the section. */
    function checkTheme(section: string): string {
      const theme = join(folder, 'theme');
      const files = {
        'sections/funding-application.liquid': section,
        'layout/theme.liquid': '{{ content_for_header }}{{ content_for_layout }}',
        'locales/en.default.json': '{}',
      };
      for (const [file, text] of Object.entries(files)) write(join(theme, file), text);
      write(
        join(folder, 'check-theme.js'),
        `import { themeCheckRun } from '@shopify/theme-check-node';
        const { offenses } = await themeCheckRun(${JSON.stringify(theme)});
        for (const { check, message } of offenses) console.log(check, message);`,
      );
      return run(folder, process.execPath, ['check-theme.js']);
    }
  });

  /** Writes the files of a framework, and the settings of a new project. */
  function writeProject(framework: string, settings: object): string {
    const project = join(folder, framework);
    rmSync(project, { recursive: true, force: true });
    for (const { file, text } of readTab(frameworksPage, framework))
      if (file?.startsWith('src/')) write(join(project, file), toLocal(text));
    const configuration = {
      compilerOptions: {
        target: 'es2022',
        lib: ['es2022', 'dom', 'dom.iterable'],
        module: 'preserve',
        moduleResolution: 'bundler',
        strict: true,
        pretty: false,
        skipLibCheck: true,
        experimentalDecorators: true,
        rootDir: 'src',
        outDir: 'built',
        types: ['vite/client'],
      },
      include: ['src'],
      ...settings,
    };
    write(join(project, 'tsconfig.json'), JSON.stringify(configuration));
    return project;
  }

  function writeSite(html: string): string {
    const site = mkdtempSync(join(folder, 'site-'));
    writeFileSync(join(site, 'index.html'), html);
    return site;
  }

  /** Opens a page whose origin the BFF allows. */
  async function usePage(
    site: string,
    use: (page: Page, logged: readonly string[]) => Promise<void>,
  ): Promise<void> {
    const server = await servePage(site, port);
    const page = await browser!.newPage({ locale: 'en-US' });
    const logged: string[] = [];
    page.on('console', (message) => logged.push(`${message.type()}: ${message.text()}`));
    page.on('pageerror', (error) => logged.push(`thrown: ${error.message}`));
    try {
      await page.goto(`http://localhost:${port}`);
      await page.locator('funding-application[data-language]').waitFor();
      await use(page, logged);
      expect(logged.filter((text) => text.startsWith('thrown'))).toEqual([]);
    } finally {
      await page.close();
      server.close();
    }
  }

  /** The documented addresses become that of the running BFF. */
  function toLocal(text: string): string {
    if (!stack) return text;
    return text.replaceAll(documentedUrl, stack.bffUrl).replaceAll(localUrl, stack.bffUrl);
  }

  /** The output of a tool, also if it found errors. */
  function runTool(project: string, [name, ...args]: readonly string[]): string {
    const { stdout, stderr } = spawnSync(join(folder, 'node_modules/.bin', name!), args, {
      cwd: project,
      env: toReaderEnvironment(),
      encoding: 'utf8',
    });
    return stdout + stderr;
  }
});

function findText(page: string, language: string): string {
  return findBlock(`docs/embed/${page}.md`, ({ info }) => info === language).text;
}

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

function run(folder: string, command: string, args: readonly string[]): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd: folder,
    env: toReaderEnvironment(),
    encoding: 'utf8',
  });
  if (status !== 0)
    throw new Error(`${command} ${args.join(' ')}:\n${error?.message ?? stdout + stderr}`);
  return stdout;
}

/** vitest sets NODE_ENV to `test`, and a reader's terminal has none. */
function toReaderEnvironment(): NodeJS.ProcessEnv {
  const environment: NodeJS.ProcessEnv = childEnvironment({ npm_config_prefer_offline: 'true' });
  delete environment['NODE_ENV'];
  return environment;
}
