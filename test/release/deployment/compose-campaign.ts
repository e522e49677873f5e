// `npm run test:campaigns -- --only=containers`: starts examples/deployment/compose.yaml unchanged, in Docker, with the commands of
// docs/deploy/containers.md. The images of PostgreSQL, ClamAV, and Caddy are stand-ins (test/release/deployment/images).

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import { sandboxCredentials } from '../../../sandbox/authentication.ts';
import { apiPaths } from '../../../shared/api/paths.ts';
import type { Campaign, CampaignRow } from '../../campaigns/campaign.ts';
import { type Browser, createBrowser, createKey } from '../../support/applicant.ts';
import { createApplication } from '../../support/applications.ts';
import { createTextPdf } from '../../support/files/pdf.ts';
import { findBlock } from '../../support/code-blocks.ts';
import { composeBlocks, containersPage } from '../../support/followed-pages.ts';
import { findFreePort } from '../../support/free-port.ts';
import { startSandboxServer, type SandboxServer } from '../../support/sandbox-server.ts';
import { typedCredentials } from '../../support/typed-credentials.ts';
import { unlimited } from '../../support/unlimited.ts';
import { createInfectedPdf } from './clamd.ts';
import { setUpDocker } from './docker-packages.ts';
import { applicantAddress, type Docker, machineAddress, startDocker } from './docker.ts';
import { createHttpsSender, type HttpsSender } from './https-sender.ts';
import { nodeImage } from './podman.ts';
import { buildStandIns } from './stand-ins.ts';
import { waitUntil } from '../../support/wait-until.ts';

export const composeCampaign: Campaign = {
  group: 'containers',
  name: 'compose.yaml',
  seconds: 120,
  isOptIn: true,
  run: runCompose,
};

interface Rig {
  readonly docker: Docker;
  readonly sandbox: SandboxServer;
  /** A copy of the project, with the release. */
  readonly project: string;
  /** Stands for /etc/funding. */
  readonly configuration: string;
  /** Where the published port of Caddy answers. */
  readonly url: string;
  /** Of Caddy. Known when it has started. */
  authority: string;
  /** The applicants with an answer, by the names of their businesses. */
  readonly applicants: Map<string, Applicant>;
  /** The blocks of the page that have run. */
  readonly ran: Set<string>;
}

interface Applicant {
  readonly browser: Browser;
  readonly sender: HttpsSender;
}

const root = join(import.meta.dirname, '../../..');
const origin = 'https://localhost:8080';
const run = promisify(execFile);

const steps: Readonly<Record<string, (rig: Rig) => Promise<void>>> = {
  'creates the database and the store': createStore,
  'starts every service': startServices,
  'gives each service only the rights that it needs': checkRights,
  'delivers an application with the address of the applicant': checkAddress,
  'rejects an infected document': checkDocuments,
  'restores a backup of the database': restoreDatabase,
  'installs a new version while applicants apply': installVersion,
  'goes back to the earlier version': goBack,
  'serves with one BFF': killBff,
  'loses nothing when everything stops': stopEverything,
};

async function runCompose(): Promise<CampaignRow> {
  const rig = await createRig();
  const problems: string[] = [];
  try {
    for (const [name, step] of Object.entries(steps)) {
      const startedAt = performance.now();
      const problem = await step(rig).then(
        () => undefined,
        (error: unknown) => `${name}: ${String(error)}`,
      );
      const seconds = Math.round((performance.now() - startedAt) / 1000);
      process.stdout.write(`   ${problem ?? name} (${seconds} s)\n`);
      if (problem === undefined) continue;
      // Later steps need the earlier ones.
      problems.push(problem);
      process.stdout.write(await compose(rig, 'logs --tail 30').catch(String));
      break;
    }
    const missed = composeBlocks.filter((text) => !rig.ran.has(text));
    if (problems.length === 0 && missed.length > 0)
      problems.push(`These commands of the page did not run: ${missed.join(', ')}`);
  } finally {
    for (const { sender } of rig.applicants.values()) await sender.close();
    await rig.docker.stop();
    await rig.sandbox.close();
  }
  return {
    runs: Object.keys(steps).length,
    unit: 'steps',
    acknowledged: rig.applicants.size,
    problems,
  };
}

async function createRig(): Promise<Rig> {
  if (!existsSync(join(root, 'dist/bff'))) throw new Error('Run npm run build first.');
  const programs = setUpDocker();
  const sandbox = await startSandboxServer();
  const serverPort = Number(new URL(sandbox.variables.FUNDING_AUTH_URL).port);
  const clientPort = await findFreePort();
  const docker = await startDocker({ programs, serverPort, clientPort, publishedPort: 443 });
  const rig: Rig = {
    docker,
    sandbox,
    project: join(docker.folder, 'project'),
    configuration: join(docker.folder, 'etc-funding'),
    url: `https://localhost:${clientPort}`,
    authority: '',
    applicants: new Map(),
    ran: new Set(),
  };
  try {
    await buildStandIns(docker, { node: nodeImage, ...readImages() });
    mkdirSync(rig.project);
    for (const path of ['.dockerignore', 'dist/bff', 'dist/widget', 'examples'])
      cpSync(join(root, path), join(rig.project, path), { recursive: true });
    await runBlock(rig, '> /etc/funding/secrets/session-keys');
    await runBlock(rig, 'read -rsp');
    await runBlock(rig, 'install -m 0600 examples/deployment/bff.env');
    const settings = { documents: { undoSeconds: 0 }, limits: unlimited };
    writeFileSync(join(rig.configuration, 'settings.json'), JSON.stringify(settings));
    await runBlock(rig, '> /etc/funding/secrets/database-url');
    await runBlock(rig, 'chmod 0444');
    // The sandbox and names of this machine. Everything else is that of the files.
    const base = `http://${machineAddress}:${serverPort}`;
    editEnvironment(rig, {
      FUNDING_ENVIRONMENT: 'sandbox',
      FUNDING_AUTH_URL: base,
      FUNDING_BASE_URL: `${base}/rest`,
      FUNDING_PARTNER_ID: sandboxCredentials.partnerId,
      FUNDING_PARTNER_NAME: sandboxCredentials.partnerName,
      PUBLIC_URL: 'https://localhost',
      ALLOWED_ORIGINS: origin,
    });
    return rig;
  } catch (error) {
    await docker.stop();
    await sandbox.close();
    throw error;
  }
}

async function createStore(rig: Rig): Promise<void> {
  const output = await runBlock(rig, 'bff-1 check --new-store');
  const [, storeId] = /^store +([0-9a-f-]{36})/m.exec(output) ?? [];
  assert.ok(storeId, output);
  editEnvironment(rig, { STORE_ID: storeId });
}

async function startServices(rig: Rig): Promise<void> {
  await runBlock(rig, '--build --wait');
  const lines = (await compose(rig, 'ps --format json')).trim().split('\n');
  const states = lines.map((line) => JSON.parse(line) as Readonly<Record<string, string>>);
  assert.deepEqual(
    states.map((state) => `${state['Service']} ${state['Health']}`).toSorted(),
    ['bff-1', 'bff-2', 'caddy', 'clamav', 'postgres'].map((service) => `${service} healthy`),
  );
  const file = '/data/caddy/pki/authorities/local/root.crt';
  rig.authority = await compose(rig, `exec caddy cat ${file}`);
}

async function checkRights(rig: Rig): Promise<void> {
  // Numbers of capabilities (capabilities(7)): NET_BIND_SERVICE is 10; CHOWN, DAC_OVERRIDE, FOWNER, SETGID, SETUID are 0, 1, 3, 6, 7.
  const expected = {
    'bff-1': { user: 10_001, capabilities: [] },
    caddy: { user: 0, capabilities: [10] },
    postgres: { user: 999, capabilities: [] },
    clamav: { user: 0, capabilities: [0, 1, 3, 6, 7] },
  };
  for (const [service, { user, capabilities }] of Object.entries(expected)) {
    const status = await (service === 'bff-1'
      ? compose(rig, `exec ${service} node -p fs.readFileSync('/proc/1/status','utf8')`)
      : compose(rig, `exec ${service} cat /proc/1/status`));
    const mask = capabilities.reduce((sum, number) => sum + 2 ** number, 0);
    assert.match(status, new RegExp(`^Uid:\t${user}\t${user}\t`, 'm'), service);
    assert.match(status, /^NoNewPrivs:\t1$/m, service);
    assert.match(status, new RegExp(`^CapBnd:\t0*${mask.toString(16)}$`, 'm'), service);
  }
}

async function checkAddress(rig: Rig): Promise<void> {
  await apply(rig, 'Harbor Bakery');
  await waitUntilAccepted(rig, 'Harbor Bakery');
  const [lead] = await findLeads(rig, 'Harbor Bakery');
  assert.equal(lead?.['SignatureIp'], applicantAddress);
  assert.doesNotMatch(await compose(rig, 'logs bff-1 bff-2'), /client-address-unverified/);
}

async function checkDocuments(rig: Rig): Promise<void> {
  const { browser } = rig.applicants.get('Harbor Bakery')!;
  const clean = await browser.upload(createTextPdf('Statement of May'));
  assert.equal(clean.status, 201, clean.text);
  const infected = await browser.upload(createInfectedPdf(), 'infected.pdf');
  assert.equal(infected.json?.code, 'document-infected', infected.text);
}

async function restoreDatabase(rig: Rig): Promise<void> {
  await runBlock(rig, 'pg_dump');
  await runBlock(rig, 'docker compose stop bff-1 bff-2');
  await runBlock(rig, 'rename to funding_before_restore');
  await runBlock(rig, 'pg_restore');
  await waitUntilAccepted(rig, 'Harbor Bakery');
}

async function goBack(rig: Rig): Promise<void> {
  const read = () => compose(rig, 'exec bff-1 node -p fs.readdirSync(`/opt/funding/widget`)+``');
  const newer = await read();
  await runBlock(rig, 'funding-bff:before funding-bff\n');
  assert.notEqual(await read(), newer);
}

async function installVersion(rig: Rig): Promise<void> {
  const earlier = readChunks(rig);
  await buildNextElement(rig);
  const next = readChunks(rig);
  const toName = (path: string) => path.slice(path.lastIndexOf('/'));
  const names = new Set(earlier.map(toName));
  const nextNames = new Set(next.map(toName));
  const chunk = earlier.find((path) => !nextNames.has(toName(path)));
  const nextChunk = next.find((path) => !names.has(toName(path)));
  assert.ok(chunk && nextChunk);
  await assertServed(rig, ['bff-1', 'bff-2'], chunk);
  const before = await compose(rig, 'ps --quiet bff-1 bff-2');
  const installation = installInTurn(rig, chunk, nextChunk);
  const hasEnded = installation.then(
    () => true,
    () => true,
  );
  let number = 0;
  do await apply(rig, `Bakery ${(number += 1)}`);
  while (!(await Promise.race([hasEnded, sleep(200, false)])));
  await installation;
  // Pages of the earlier version are still open.
  await assertServed(rig, ['bff-1', 'bff-2'], chunk);
  const after = await compose(rig, 'ps --quiet bff-1 bff-2');
  const ids = after.trim().split('\n');
  assert.equal(ids.length, 2);
  assert.deepEqual(
    ids.filter((id) => before.includes(id)),
    [],
  );
}

async function installInTurn(rig: Rig, chunk: string, nextChunk: string): Promise<void> {
  await runBlock(rig, 'docker compose build');
  const [, version] = /^\/widget\/([^/]+)/.exec(nextChunk) ?? [];
  assert.match(await runBlock(rig, 'bff-1 check\n'), new RegExp(`^widget +${version}$`, 'm'));
  await runBlock(rig, '--wait bff-1\n');
  // Either process gets requests of pages that the other one has served.
  await assertServed(rig, ['bff-1'], chunk);
  await assertServed(rig, ['bff-2'], nextChunk);
  await runBlock(rig, '--wait bff-2');
}

/** Builds the element with another text, from a copy of the sources. */
async function buildNextElement(rig: Rig): Promise<void> {
  const sources = join(rig.docker.folder, 'sources');
  const excluded = /^(?:node_modules|dist|test-output|\.git|\.data)$/;
  for (const name of readdirSync(root)) {
    if (!excluded.test(name)) cpSync(join(root, name), join(sources, name), { recursive: true });
  }
  symlinkSync(join(root, 'node_modules'), join(sources, 'node_modules'));
  const texts = join(sources, 'widget/i18n/en-form.json');
  writeFileSync(texts, readFileSync(texts, 'utf8').replace(/": "/, '": "Next: '));
  await run(join(root, 'node_modules/.bin/vite'), ['build', '--logLevel=warn'], { cwd: sources });
  rmSync(join(rig.project, 'dist/widget'), { recursive: true });
  cpSync(join(sources, 'dist/widget'), join(rig.project, 'dist/widget'), { recursive: true });
}

/** As pages of this version request them. */
function readChunks({ project }: Rig): readonly string[] {
  const text = readFileSync(join(project, 'dist/widget/manifest.json'), 'utf8');
  const { version, hash, files } = JSON.parse(text) as {
    readonly version: string;
    readonly hash: string;
    readonly files: readonly { readonly file: string }[];
  };
  return files
    .filter(({ file }) => file.startsWith('chunks/'))
    .map(({ file }) => `/widget/${version}-${hash}/${file}`);
}

async function assertServed(rig: Rig, services: readonly string[], path: string): Promise<void> {
  for (const service of services) {
    // Pages without a version leave it out.
    const request = `fetch('http://127.0.0.1:8081${path.replace(/^(\/widget)\/[^/]+/, '$1')}').then(({status})=>console.log(status))`;
    assert.equal(
      (await compose(rig, `exec ${service} node -e ${request}`)).trim(),
      '200',
      `${service} ${path}`,
    );
  }
}

async function killBff(rig: Rig): Promise<void> {
  await compose(rig, 'kill bff-2');
  for (const name of ['Mill Books', 'Mill Tools', 'Mill Wines']) await apply(rig, name);
}

async function stopEverything(rig: Rig): Promise<void> {
  // Until the end of the fault, the application is in the store only.
  await setFault(rig, '/faults', { kind: 'status', operation: 'any', times: 'always' });
  await apply(rig, 'River Garden');
  assert.deepEqual(await findLeads(rig, 'River Garden'), []);
  await runBlock(rig, 'docker compose down');
  assert.equal(await compose(rig, 'ps --all --quiet'), '');
  await setFault(rig, '/faults/clear', {});
  await compose(rig, 'up --detach --wait');
  for (const name of rig.applicants.keys()) await waitUntilAccepted(rig, name);
}

/** Like the element: the same key and body until there is an answer of the BFF. */
async function apply(rig: Rig, name: string): Promise<void> {
  const sender = createHttpsSender(rig);
  const browser = createBrowser({ send: sender.send, origin });
  const key = createKey();
  const application = createApplication({ name }, { campaignId: undefined });
  await waitUntil(async () => {
    const answer = await browser.apply(application, key).catch(() => undefined);
    return answer?.status === 201 || answer?.status === 202;
  }, `An answer to ${name}`);
  rig.applicants.set(name, { browser, sender });
}

/** A BFF takes over what a killed one was sending when its lease ends, after 180 s. */
async function waitUntilAccepted(rig: Rig, name: string): Promise<void> {
  const { browser } = rig.applicants.get(name)!;
  await waitUntil(async () => {
    await sleep(200);
    const answer = await browser.send('GET', apiPaths.application).catch(() => undefined);
    return answer?.json?.status === 'accepted';
  }, `The acceptance of ${name}`);
  assert.equal((await findLeads(rig, name)).length, 1, name);
}

async function findLeads(rig: Rig, name: string) {
  const response = await rig.sandbox.app.request('/_sandbox/leads');
  const { leads } = (await response.json()) as {
    leads: readonly { readonly lead: Readonly<Record<string, unknown>> }[];
  };
  return leads.map(({ lead }) => lead).filter((lead) => lead['Company'] === name);
}

async function setFault({ sandbox }: Rig, path: string, body: object): Promise<void> {
  const response = await sandbox.app.request(`/_sandbox${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  assert.equal(response.ok, true, await response.text());
}

/** Runs a code block of the page. */
async function runBlock(rig: Rig, text: (typeof composeBlocks)[number]): Promise<string> {
  rig.ran.add(text);
  const script = findBlock(containersPage, (block) => block.text.includes(text))
    .text.replaceAll('/etc/funding', rig.configuration)
    .replaceAll('/var/backups', rig.docker.folder)
    .replaceAll('apply.partner.example', 'localhost');
  // The first block for Compose changes the folder, in which the reader continues.
  const isAtRoot = script.includes('cd examples') || !/^docker /m.test(script);
  const cwd = isAtRoot ? rig.project : join(rig.project, 'examples/deployment');
  return (await run('bash', ['-ec', typedCredentials + script], { cwd, env: toEnvironment(rig) }))
    .stdout;
}

async function compose(rig: Rig, command: string): Promise<string> {
  const cwd = join(rig.project, 'examples/deployment');
  const options = { cwd, env: toEnvironment(rig), maxBuffer: 64 * 1024 * 1024 };
  return (await run('docker', ['compose', ...command.split(' ')], options)).stdout;
}

function toEnvironment({ docker, configuration }: Rig): Readonly<Record<string, string>> {
  const { clientId, clientSecret, username, password } = sandboxCredentials;
  return {
    ...docker.variables,
    PUBLIC_HOST: 'localhost',
    CONFIG_FOLDER: configuration,
    CLIENT_ID: clientId,
    CLIENT_SECRET: clientSecret,
    USERNAME: username,
    PASSWORD: password,
  };
}

/** Sets lines of bff.env, as a reader does with an editor. */
function editEnvironment(
  { configuration }: Rig,
  variables: Readonly<Record<string, string>>,
): void {
  const file = join(configuration, 'bff.env');
  const names = Object.keys(variables);
  const kept = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => !names.some((name) => line.replace('#', '').startsWith(`${name}=`)));
  const added = Object.entries(variables).map(([name, value]) => `${name}=${value}`);
  writeFileSync(file, [...kept, ...added, ''].join('\n'));
}

function readImages(): Readonly<Record<'postgres' | 'clamav' | 'caddy', string>> {
  const text = readFileSync(join(root, 'examples/deployment/compose.yaml'), 'utf8');
  const { services } = parse(text, { merge: true }) as {
    services: Readonly<Record<'postgres' | 'clamav' | 'caddy', { readonly image: string }>>;
  };
  const { postgres, clamav, caddy } = services;
  return { postgres: postgres.image, clamav: clamav.image, caddy: caddy.image };
}
