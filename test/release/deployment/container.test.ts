// Builds the image of examples/deployment/Containerfile and starts it with the commands of docs/deploy/containers.md.

import { execFile } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { settings } from '../../bff/config/config-source.ts';
import { createBrowser, createHttpSender } from '../../support/applicant.ts';
import { createApplication } from '../../support/applications.ts';
import { isReady } from '../../support/bff-process.ts';
import { findBlock } from '../../support/code-blocks.ts';
import { containersPage, podmanBlocks } from '../../support/followed-pages.ts';
import { findFreePort } from '../../support/free-port.ts';
import { readBankStatement } from '../../support/files/realistic-files.ts';
import { startSandboxServer } from '../../support/sandbox-server.ts';
import { waitLimitMs } from '../../support/time-limit.ts';
import { typedCredentials } from '../../support/typed-credentials.ts';
import { unlimitedSettingsPath } from '../../support/unlimited.ts';
import {
  buildBaseImages,
  createPodman,
  hasPodman,
  nodeImage,
  type Podman,
  shellFreeImage,
} from './podman.ts';

const root = join(import.meta.dirname, '../../..');
const untested = new Set<string>(podmanBlocks);

describe.skipIf(!hasPodman)('the container image', () => {
  let podman: Podman;
  /** Stands for /etc/funding. */
  let configuration: string;

  beforeAll(async () => {
    if (!existsSync(join(root, 'dist/bff'))) throw new Error('Run npm run build first.');
    podman = createPodman();
    configuration = join(podman.folder, 'etc-funding');
    await buildBaseImages(podman);
    await runBlock('podman build');
    await podman.run('tag funding-bff:1.0.0 funding-bff');
  });

  afterAll(() => podman.remove());

  /** Runs a code block of the page. @param changes texts of the block and their replacements. */
  async function runBlock(
    text: (typeof podmanBlocks)[number],
    changes: Readonly<Record<string, string>> = {},
  ) {
    untested.delete(text);
    // Inside the container, the folder keeps its name.
    const block = findBlock(containersPage, (one) => one.info === 'sh' && one.text.includes(text));
    let script = block.text.replaceAll(/\/etc\/funding(?!:ro)/g, configuration);
    for (const [from, to] of Object.entries(changes)) {
      expect(script).toContain(from);
      script = script.replaceAll(from, to);
    }
    const credentials = {
      CLIENT_ID: 'c',
      CLIENT_SECRET: 's3cret',
      USERNAME: 'u',
      PASSWORD: 'p4ss',
    };
    const env = { ...podman.variables, ...credentials };
    return (
      await promisify(execFile)('bash', ['-ec', typedCredentials + script], { cwd: root, env })
    ).stdout;
  }

  it('contains only the release besides the base image', async () => {
    const [files, base] = [await listFiles('funding-bff'), await listFiles(nodeImage)];
    const added = files.filter((file) => !base.includes(file));
    expect(base.filter((file) => !files.includes(file))).toEqual([]);
    const release = [...(await listRelease('bff')), ...(await listRelease('widget'))];
    expect(added.toSorted()).toEqual(
      [
        'var/lib/',
        'var/lib/funding/',
        'opt/',
        'opt/funding/',
        ...release.map((file) => `opt/funding/${file}`),
      ]
        .filter((file) => !base.includes(file))
        .toSorted(),
    );
    expect(
      added.filter((file) => /\.map$|node_modules|\.env(?!\.example)|(?<!\.d)\.ts$/.test(file)),
    ).toEqual([]);
  });

  it('contains the release of the npm package if its folder is the context', async () => {
    const folder = join(root, 'dist/packages/bff');
    if (!existsSync(folder)) throw new Error('Run npm run build first.');
    const file = join(folder, 'deployment/Containerfile');
    const image = 'funding-bff-of-package';
    await podman.run(`build --format docker --file ${file} --tag ${image} ${folder}`);
    const added = (await listFiles(image)).filter((path) => path.startsWith('opt/funding/'));
    const release = await Promise.all(['bff', 'widget'].map((name) => listRelease(name, folder)));
    const expected = ['', ...release.flat()].map((path) => `opt/funding/${path}`);
    expect(added).toEqual(expected.toSorted());
    await podman.run(`rmi ${image}`);
  });

  it('adds less than 15 MB to the base image', async () => {
    const read = async (image: string) =>
      Number(await podman.run(`image inspect --format {{.Size}} ${image}`));
    const [size, base] = [await read('funding-bff'), await read(nodeImage)];
    expect(size - base).toBeGreaterThan(1e6);
    expect(size - base).toBeLessThan(15e6);
  });

  it('starts in production with the commands of the page', async () => {
    await runBlock('> /etc/funding/secrets/session-keys');
    await runBlock('read -rsp');
    await runBlock('install -m 0600 examples/deployment/bff.env');
    writeFileSync(join(configuration, 'settings.json'), JSON.stringify(settings));
    const created = await runBlock('podman run --rm');
    const [, storeId] = /^store +(\S+)/m.exec(created) ?? [];
    appendFileSync(join(configuration, 'bff.env'), `STORE_ID=${storeId}\n`);

    const port = String(await findFreePort());
    const start = () =>
      runBlock('podman run --detach', {
        '--publish 127.0.0.1:8081:8081': `--env BFF_PORT=${port}`,
      });
    await start();
    await waitUntilReady(`http://localhost:${port}/readyz`);
    expect(await runBlock('healthcheck run')).toContain('BFF (production) listens');
    expect(await runBlock('exec funding-bff')).toContain('applications');

    const status = await readProcessStatus('funding-bff');
    expect(status).toMatchObject({
      Uid: '10001\t10001\t10001\t10001',
      Gid: '10001\t10001\t10001\t10001',
      // Process 1 of its namespace, so that the stop signal reaches Node and nothing else.
      NSpid: expect.stringMatching(/\t1$/),
      NoNewPrivs: '1',
      CapEff: '0000000000000000',
      CapBnd: '0000000000000000',
    });
    const write = podman.run('exec funding-bff node -e', "fs.writeFileSync('/opt/x', '')");
    await expect(write).rejects.toThrow('EROFS');

    const backups = join(podman.folder, 'backups');
    await runBlock('funding-backup "$(podman', { '/var/backups/funding': backups });
    const [backup = ''] = readdirSync(backups);
    expect(readdirSync(join(backups, backup))).toContain('store.db');

    // The upgrade, and the way back.
    await runBlock('podman rename funding-bff funding-bff-before');
    await start();
    await waitUntilReady(`http://localhost:${port}/readyz`);
    await runBlock('podman rename funding-bff-before funding-bff');
    await waitUntilReady(`http://localhost:${port}/readyz`);

    expect(await runBlock('podman wait')).toMatch(/^0$/m);
    await podman.run('rm funding-bff');
  });

  it('does not start in production without its volume', async () => {
    const { stderr, code } = await podman
      .run(
        `run --rm --env-file ${configuration}/bff.env --read-only
        --volume ${configuration}:/etc/funding:ro funding-bff`,
      )
      .then(
        () => ({ stderr: '', code: 0 }),
        (error: { stderr: string; code: number }) => error,
      );
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('cannot start') });
  });

  it.each([['the default base'], ['a base without a shell']])(
    'delivers an application on %s',
    async (base) => {
      const image = base === 'the default base' ? 'funding-bff' : 'funding-bff-without-shell';
      if (image !== 'funding-bff')
        await podman.run(`build --format docker --file examples/deployment/Containerfile
          --build-arg RUNTIME_IMAGE=${shellFreeImage} --tag ${image} ${root}`);
      const sandbox = await startSandboxServer();
      const port = String(await findFreePort());
      const variables = {
        FUNDING_ENVIRONMENT: 'sandbox',
        BFF_PORT: port,
        PUBLIC_URL: `http://localhost:${port}`,
        FUNDING_SETTINGS: '/etc/funding/settings.json',
        DATABASE_URL: 'file:/var/lib/funding/store.db',
        ...sandbox.variables,
      };
      const environment = Object.entries(variables).map(
        ([name, value]) => `--env ${name}=${value}`,
      );
      await podman.run(`run --detach --name ${image} --volume ${image}-store:/var/lib/funding
        --volume ${unlimitedSettingsPath}:/etc/funding/settings.json:ro --read-only --tmpfs /tmp
        --cap-drop all --security-opt no-new-privileges ${environment.join(' ')} ${image}`);
      const url = `http://localhost:${port}`;
      await waitUntilReady(`${url}/readyz`);
      await podman.run(`healthcheck run ${image}`);
      const { send, close } = createHttpSender([url]);
      const browser = createBrowser({ send });
      const application = createApplication({}, { campaignId: undefined });
      expect(await browser.apply(application)).toMatchObject({
        status: 201,
        json: { status: 'accepted' },
      });
      // A child process inspects the document.
      expect(await browser.upload(await readBankStatement())).toMatchObject({ status: 201 });
      expect(sandbox.leads()).toBe(1);
      await close();

      // Podman itself creates mount points and name resolution.
      const own = /^(etc|run|proc|sys|dev|tmp)\//;
      const files = await listFolder((await podman.run(`mount ${image}`)).trim());
      expect(files.filter((file) => !own.test(file))).toEqual(
        (await listFiles(image)).filter((file) => !own.test(file)),
      );
      await podman.run(`unmount ${image}`);
      await podman.run(`stop ${image}`);
      expect(await podman.run(`wait ${image}`)).toBe('0\n');
      await sandbox.close();
    },
  );

  it('is unhealthy when the port does not answer', async () => {
    const idle = '["node","-e","setInterval(()=>0,1000)"]';
    const port = `BFF_PORT=${await findFreePort()}`;
    await podman.run(`run --detach --name idle --env ${port} --entrypoint ${idle} funding-bff`);
    const check = podman.run('healthcheck run idle');
    await expect(check).rejects.toMatchObject({ code: 1 });
    await podman.run('rm --force --time 0 idle');
  });

  it('has run each block of the page that is for Podman', () => {
    expect([...untested]).toEqual([]);
  });

  async function readProcessStatus(container: string): Promise<Record<string, string>> {
    const pid = await podman.run(`inspect --format {{.State.Pid}} ${container}`);
    const lines = readFileSync(`/proc/${pid.trim()}/status`, 'utf8').trim().split('\n');
    return Object.fromEntries(lines.map((line) => line.split(/:\s+/, 2) as [string, string]));
  }

  async function listFiles(image: string): Promise<readonly string[]> {
    const files = await listFolder((await podman.run(`image mount ${image}`)).trim());
    await podman.run(`image unmount ${image}`);
    return files;
  }
});

/** Sorted; folders end with a slash. */
async function listFolder(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true });
  return entries
    .map((entry) => `${entry}${lstatSync(join(folder, entry)).isDirectory() ? '/' : ''}`)
    .toSorted();
}

async function listRelease(name: string, parent = join(root, 'dist')): Promise<readonly string[]> {
  const folder = join(parent, name);
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return [
    `${name}/`,
    ...entries.map((entry) => {
      const path = join(entry.parentPath, entry.name).slice(folder.length);
      return `${name}${path}${entry.isDirectory() ? '/' : ''}`;
    }),
  ];
}

async function waitUntilReady(url: string): Promise<void> {
  await expect.poll(() => isReady(url), { timeout: waitLimitMs }).toBe(true);
}
