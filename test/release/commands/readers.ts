// The reader's machine for each document: where the commands are entered, and what is there already.

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { defaultSettings } from '../../../bff/config/settings.ts';
import { createEncryption, encryptName } from '../../../bff/store/encryption.ts';
import { openStore } from '../../../bff/store/open-store.ts';
import { readConfig } from '../../../bff/config/config.ts';
import { createFundingService } from '../../../bff/funding-service/client.ts';
import { toLead } from '../../../bff/funding-service/lead.ts';
import type { AttemptResult, DeliveryKind } from '../../../bff/store/store.ts';
import { root } from '../../../scripts/project.mjs';
import { strongKey } from '../../bff/config/config-source.ts';
import { createConsent, createNewApplication } from '../../bff/store/contract/rows.ts';
import { createFullApplication } from '../../support/applications.ts';
import { createFetchTransport } from '../../support/fetch-transport.ts';
import { startSandboxServer } from '../../support/sandbox-server.ts';
import { toMachine, type Machine, type Reader } from './run-page.ts';

const secrets = {
  FUNDING_CLIENT_ID: 'client-id',
  FUNDING_CLIENT_SECRET: 'client-secret',
  FUNDING_USERNAME: 'username',
  FUNDING_PASSWORD: 'password',
} as const;

/** In the shell of the reader. */
const credentials = {
  CLIENT_ID: 'id-of-the-client',
  CLIENT_SECRET: 'secret-of-the-client',
  USERNAME: 'user',
  PASSWORD: 'password',
} as const;

/** Enters commands in a clone, without a configuration. */
const developer: Reader = { folder: 'clone', prepare: prepareCredentials };

/** Installs the BFF: has edited the examples, and knows the credentials, but has neither keys nor a store. */
const installer: Reader = {
  folder: 'clone',
  prepare(machine) {
    Object.assign(machine.variables, credentials);
    const examples = join(machine.folder, 'clone/examples');
    edit(join(examples, 'deployment/bff.env'), join(examples, 'settings.json'), machine);
    addPackage(machine);
  },
  check: (machine) => checkSchema(machine, 'etc/funding/settings.json'),
};

/** Edits the examples of an environment and of settings. */
function edit(environment: string, settings: string, machine: Machine): void {
  writeFileSync(environment, toMachine(readFileSync(environment, 'utf8'), machine));
  const { $schema } = JSON.parse(readFileSync(settings, 'utf8')) as { $schema: string };
  writeFileSync(settings, JSON.stringify({ $schema, ...createSettings() }));
}

/** The tarball of the package, whose examples the reader has edited. */
function addPackage(machine: Machine): void {
  const unpacked = join(machine.folder, 'unpacked');
  cpSync(join(root, 'dist/packages/bff'), join(unpacked, 'package'), { recursive: true });
  const [environment, settings] = ['deployment/bff.env', 'settings.json'].map((file) =>
    join(unpacked, 'package', file),
  );
  edit(environment!, settings!, machine);
  const tarball = join(machine.folder, 'clone/funding-application-bff.tgz');
  execFileSync('tar', ['-czf', tarball, '-C', unpacked, 'package']);
}

/** Has traced a BFF with strace. */
const tracer: Reader = {
  folder: 'clone',
  prepare({ folder }) {
    writeFileSync(join(folder, 'tmp/trace.txt'), 'fdatasync(24</tmp/traced/store.db-wal>) = 0\n');
  },
};

/** Has installed and configured the BFF for production, and has no store yet. */
const configurer: Reader = {
  folder: 'release',
  prepare(machine) {
    prepareCredentials(machine);
    addRelease(machine, '1.0.0');
    symlinkSync('1.0.0', join(machine.folder, 'opt/funding/current'));
    configureProduction(machine);
  },
};

/** Runs a BFF in production, whose store contains applications. */
const operator = also(configurer, async (machine) => {
  // Contains the documents that wait for their delivery.
  mkdirSync(join(machine.folder, 'var/lib/funding/store.db-content'), { recursive: true });
  machine.variables['STORE_ID'] = await addApplications(machine);
});

/** Operates a BFF of the sandbox, because some commands call the funding service. */
const sandboxOperator: Reader = {
  folder: 'release',
  async prepare(machine) {
    addRelease(machine, '1.0.0');
    symlinkSync('1.0.0', join(machine.folder, 'opt/funding/current'));
    const sandbox = await startSandboxServer();
    machine.onEnd(sandbox.close);
    Object.assign(machine.variables, sandbox.variables, {
      FUNDING_ENVIRONMENT: 'sandbox',
      DATA_KEYS: `1:${strongKey(1)}`,
      DATABASE_URL: `file:${machine.folder}/var/lib/funding/store.db`,
    });
    await addApplications(machine);
    machine.replacements.push(['00Qb5sx7JfDOknrEID', await fileLead(machine.variables)]);
  },
};

/** Resolves alarms on the machine of the BFF. It has a webhook, whose receiver does not answer. */
const onCall = also(sandboxOperator, (machine) => {
  prepareCredentials(machine);
  machine.variables['WEBHOOK_URL'] = 'https://crm.partner.example/webhooks/funding';
  machine.variables['WEBHOOK_SECRETS'] = `whsec_${strongKey(4)}`;
  const file = join(machine.folder, 'etc/funding/secrets/session-keys');
  writeFileSync(file, `1:${strongKey(3)}`);
});

/** Runs the BFF of the npm package in a project of its own. */
const packageUser: Reader = {
  folder: 'project',
  prepare(machine) {
    Object.assign(machine.variables, credentials);
    const project = join(machine.folder, 'srv/project');
    mkdirSync(join(project, 'node_modules'), { recursive: true });
    const name = 'funding-application-bff';
    symlinkSync(join(root, 'dist/packages/bff'), join(project, 'node_modules', name));
    writeFileSync(
      join(project, 'package.json'),
      JSON.stringify({ dependencies: { [name]: `file:${name}.tgz` } }),
    );
  },
  check: (machine) => checkSchema(machine, 'srv/project/settings.json'),
};

/** A reader who has prepared something else, too. */
function also(reader: Reader, prepare: NonNullable<Reader['prepare']>): Reader {
  return {
    ...reader,
    async prepare(machine) {
      await reader.prepare?.(machine);
      await prepare(machine);
    },
  };
}

/** Editors find the JSON Schema that the settings name. */
function checkSchema(machine: Machine, settings: string): void {
  const file = join(machine.folder, settings);
  const { $schema } = JSON.parse(readFileSync(file, 'utf8')) as { $schema: string };
  const schema = resolve(dirname(file), toMachine($schema, machine));
  if (!existsSync(schema))
    throw new Error(`/${settings} names a schema that is not there: ${$schema}`);
}

const readers: Readonly<Record<string, Reader>> = {
  'bff/package/README.md': { ...developer, prepare: addPackage },
  'docs/start/staging.md': packageUser,
  'docs/deploy/index.md': installer,
  'docs/deploy/configuration.md': operator,
  'docs/deploy/consents.md': operator,
  'docs/deploy/documents.md': operator,
  'docs/deploy/postgresql.md': configurer,
  'docs/deploy/proxy.md': also(configurer, (machine) => {
    // As the packages of both install them.
    for (const file of ['etc/caddy/Caddyfile', 'etc/nginx/nginx.conf']) {
      mkdirSync(dirname(join(machine.folder, file)), { recursive: true });
      writeFileSync(join(machine.folder, file), '');
    }
  }),
  'docs/deploy/store.md': operator,
  'docs/deploy/systemd.md': operator,
  'docs/deploy/conformance.md': {
    folder: 'project',
    async prepare(machine) {
      await operator.prepare?.(machine);
      await packageUser.prepare?.(machine);
      machine.variables['FUNDING_ENVIRONMENT'] = 'staging';
    },
  },
  'docs/operate/index.md': also(operator, (machine) => {
    const environment = 'examples/deployment/bff.env';
    copyFileSync(join(root, environment), join(machine.folder, 'etc/funding/bff.env'));
    mkdirSync(join(machine.folder, 'etc/prometheus'));
    copyFileSync(
      join(root, 'examples/monitoring/prometheus-rules.yml'),
      join(machine.folder, 'etc/prometheus/funding-rules.yml'),
    );
  }),
  'docs/operate/applications.md': sandboxOperator,
  'docs/operate/backup.md': operator,
  'docs/operate/keys.md': also(operator, (machine) => {
    machine.variables['DATA_KEYS'] = `2:${strongKey(2)},1:${strongKey(1)}`;
    delete machine.variables['DATA_KEYS_FILE'];
  }),
  'docs/operate/capacity.md': operator,
  'docs/operate/restart.md': operator,
  'docs/operate/upgrade.md': {
    folder: 'clone',
    async prepare(machine) {
      await operator.prepare?.(machine);
      // The running release has archived its element.
      const archive = join(machine.folder, 'var/lib/funding/widgets');
      cpSync(join(root, 'dist/widget'), archive, { recursive: true });
      machine.variables['WIDGET_ARCHIVE'] = archive;
      addPackage(machine);
    },
  },
  'docs/operate/alarms.md': onCall,
  'docs/operate/webhooks.md': also(sandboxOperator, (machine) => {
    mkdirSync(join(machine.folder, 'etc/funding'));
  }),
  'docs/reliability.md': tracer,
  'docs/troubleshoot.md': operator,
};

export function findReader(document: string): Reader {
  return readers[document] ?? developer;
}

function prepareCredentials({ folder, variables }: Machine): void {
  for (const place of ['etc/funding/secrets', 'run/secrets']) {
    mkdirSync(join(folder, place), { recursive: true });
    for (const name of Object.values(secrets))
      writeFileSync(join(folder, place, name), `value-of-${name}-7Qd2`);
  }
  Object.assign(variables, credentials);
  writeFileSync(join(folder, 'etc/funding/settings.json'), JSON.stringify(createSettings()));
  copyFileSync(join(root, 'examples/hooks/hooks.ts'), join(folder, 'etc/funding/hooks.ts'));
}

function createSettings() {
  return {
    locales: ['en'],
    consents: defaultSettings().consents.map(({ id, required }) => ({
      id,
      version: '2026-11',
      required,
      label: 'I confirm that my answers are true, and I accept the terms.',
      text: 'I am authorized to apply for this business. The lender may contact me about it.',
    })),
    offers: { notQualifiedNotice: 'The lender sends its decision and the reasons by mail.' },
  };
}

function configureProduction({ folder, variables }: Machine): void {
  writeFileSync(join(folder, 'etc/funding/secrets/session-keys'), `1:${strongKey(3)}`);
  writeFileSync(join(folder, 'etc/funding/secrets/data-keys'), `1:${strongKey(1)}`);
  Object.assign(variables, {
    FUNDING_ENVIRONMENT: 'production',
    FUNDING_AUTH_URL: 'https://auth.service.example',
    FUNDING_BASE_URL: 'https://service.example/services/apexrest',
    FUNDING_PARTNER_ID: 'P-2041',
    FUNDING_PARTNER_NAME: 'Millstone Supply Co.',
    FUNDING_SETTINGS: `${folder}/etc/funding/settings.json`,
    DATABASE_URL: `file:${folder}/var/lib/funding/store.db`,
    PUBLIC_URL: 'https://apply.partner.example',
    ALLOWED_ORIGINS: 'https://www.partner.example',
    TRUSTED_PROXIES: '10.0.0.5',
    SESSION_KEYS_FILE: `${folder}/etc/funding/secrets/session-keys`,
    DATA_KEYS_FILE: `${folder}/etc/funding/secrets/data-keys`,
  });
  for (const [name, file] of Object.entries(secrets))
    variables[`${name}_FILE`] = `${folder}/etc/funding/secrets/${file}`;
}

function addRelease({ folder }: Machine, version: string): void {
  const release = join(folder, 'opt/funding', version);
  mkdirSync(release, { recursive: true });
  for (const name of ['bff', 'widget']) symlinkSync(join(root, 'dist', name), join(release, name));
  symlinkSync(join(root, 'examples/deployment'), join(release, 'deployment'));
}

/** Five applications in the states of the documents. @returns the id of the store. */
async function addApplications({ folder }: Machine): Promise<string> {
  const store = await openStore(`file:${folder}/var/lib/funding/store.db`);
  const encryption = createEncryption({ currentId: '1', keys: { 1: strongKey(1) } });
  const lead = JSON.stringify(createFullApplication());
  const text = [
    'I confirm that my answers are true, and I accept the terms.',
    'I am authorized to apply for this business. The lender may contact me about it.',
  ].join('\n\n');

  const add = async (id: string) => {
    const { key, cipher } = encryption.createCipher(id);
    const receivedAt = Date.now() - 125 * 60_000;
    const origin = 'https://www.partner.example';
    const session = { id: `session-${id}`, origin, createdAt: receivedAt };
    const encryptedLead = cipher.encrypt('lead', id, lead);
    const application = {
      id,
      session,
      idempotencyKey: `key-${id}`,
      key,
      encryptedLead,
      receivedAt,
    };
    const consent = {
      ...createConsent(`consent-${id}`, id),
      version: '2026-11',
      text,
      textHash: createHash('sha256').update(text).digest('hex'),
      givenAt: receivedAt,
      encryptedAddress: cipher.encrypt('address', `consent-${id}`, '192.0.2.77'),
    };
    await store.addApplication(createNewApplication(application), [consent]);
  };
  const record = async (result: AttemptResult, kind: DeliveryKind = 'application') => {
    const claim = await store.claimDue(kind, 180_000);
    if (!claim || claim.kind === 'unreadable') throw new Error(`No ${kind} was due`);
    await store.recordResult(claim, result);
  };
  const addDocument = async (id: string, applicationId: string) => {
    const row = await store.findApplication(applicationId);
    if (!row) throw new Error(`There is no application ${applicationId}`);
    const cipher = encryption.unwrapKey(applicationId, row.key);
    const createdAt = Date.now() - 125 * 60_000;
    const category = 'bank-statements-jan';
    await store.beginAttachment({ id, applicationId, kind: 'document', category, createdAt }, 9);
    await store.addChunk(id, 0, cipher.encrypt('chunk', `${id}/0`, 'statement'));
    const encryptedName = encryptName(cipher, id, { name: 'statement', extension: 'pdf' });
    await store.completeAttachment(id, { fingerprint: id, bytes: 48_213, encryptedName, limit: 9 });
  };

  await add(references.unconfirmed);
  await record({ state: 'unconfirmed' });
  await add(references.accepted);
  await record({ state: 'accepted', serviceId: '00QVqyRvVkzjBMZEAU' });
  await addDocument('0199c0de-0000-7000-8000-0000000000d1', references.accepted);
  await record({ state: 'waiting', delayMs: 0, isUncertain: true, outcome: 'unknown' }, 'document');
  await record({ state: 'accepted', serviceId: '068' }, 'document');
  await add(references.twins[0]);
  await record({ state: 'accepted', serviceId: '00QVqyRvVkzjBMZEAW' });
  await add(references.twins[1]);
  await record({ state: 'held', reason: 'deadline', isUncertain: false, outcome: 'unreachable' });
  await add(references.received);
  const { id } = await store.readIdentity();
  await store.close();
  return id;
}

const references = {
  unconfirmed: '0199c0de-0000-7000-8000-000000000001',
  accepted: '0199c0de-0000-7000-8000-000000000002',
  received: '0199c0de-0000-7000-8000-000000000003',
  /** Both have the short reference 7K4-92M. */
  twins: ['0199c0de-0000-7000-8000-00000f322454', '019a0c11-5e1f-7b3a-91d4-5d064f322454'],
} as const;

/** Creates the lead of the unconfirmed application, like an attempt whose answer is lost. @returns its ApplicationID. */
async function fileLead(variables: Record<string, string>): Promise<string> {
  const result = readConfig({ variables, readFile: () => '' });
  if ('problems' in result) throw new Error(result.problems.join('\n'));
  const service = createFundingService({
    config: result.config,
    transport: createFetchTransport(fetch),
    clock: Date.now,
    onEvent: () => undefined,
  });
  const at = new Date();
  const id = references.unconfirmed;
  const lead = toLead(
    createFullApplication(),
    { id, createdAt: at, signedAt: at },
    {
      ...defaultSettings().lead,
      leadSource: 'Partner',
    },
  );
  const outcome = await service.createLead(JSON.stringify(lead), id);
  if (outcome.kind !== 'accepted') throw new Error(`The lead was ${outcome.kind}`);
  return outcome.value.applicationId;
}
