// examples/deployment/compose.yaml: its rules, its configuration, and its programs of this machine.

import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { BlockList } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { parseEnv, promisify } from 'node:util';
import { Client } from 'pg';
import { describe, expect, inject, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { createClamd } from '../../../bff/documents/clamd.ts';
import { startKeepAliveTimer } from '../../../bff/runtime/timers.ts';
import { readTestTools } from '../../../scripts/test-tools.mjs';
import { listProblems, production, strongKey } from '../../bff/config/config-source.ts';
import { findBlock } from '../../support/code-blocks.ts';
import { createTextPdf } from '../../support/files/pdf.ts';
import { containersPage } from '../../support/followed-pages.ts';
import { hasPostgres } from '../../support/postgres.ts';
import { clamdProgram, createInfectedPdf, startClamd } from './clamd.ts';

interface Service {
  readonly image: string;
  readonly ports?: readonly string[];
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly cap_add?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly network_mode?: string;
  readonly networks?: readonly string[] | Readonly<Record<string, { ipv4_address?: string }>>;
  readonly environment?: Readonly<Record<string, string>>;
  readonly env_file?: readonly string[];
  readonly secrets?: readonly (string | { readonly source: string; readonly target: string })[];
  readonly configs?: readonly { readonly source: string; readonly target: string }[];
  readonly volumes?: readonly string[];
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly healthcheck?: { readonly test: readonly string[] };
  readonly stop_grace_period?: string;
  readonly deploy?: { readonly resources: { readonly limits: { readonly memory: string } } };
}

interface Network {
  readonly internal?: boolean;
  readonly ipam?: { readonly config: readonly [{ subnet: string; ip_range: string }] };
}

interface Composition {
  readonly services: Readonly<Record<string, Service>>;
  readonly networks: Readonly<Record<string, Network>>;
  readonly volumes: Readonly<Record<string, unknown>>;
  readonly secrets: Readonly<Record<string, { readonly file: string }>>;
  readonly configs: Readonly<Record<string, { readonly file: string }>>;
}

const root = join(import.meta.dirname, '../../..');
const folder = join(root, 'examples/deployment');
const composition = parse(readFileSync(join(folder, 'compose.yaml'), 'utf8'), {
  merge: true,
}) as Composition;
const { services } = composition;
const names = Object.keys(services);
const bffs = names.filter((name) => name.startsWith('bff-'));

describe('compose.yaml', () => {
  it('has two BFFs of the same image', () => {
    expect(bffs).toHaveLength(2);
    expect(new Set(bffs.map((name) => JSON.stringify(services[name])))).toHaveLength(1);
  });

  it('publishes ports of the proxy only', () => {
    expect(names.filter((name) => services[name]?.ports)).toEqual(['caddy']);
    expect(services['postgres']?.network_mode).toBe('none');
    expect(composition.networks['inside']).toMatchObject({ internal: true });
  });

  it.each(names)('drops the rights that %s does not need', (name) => {
    const service = services[name]!;
    expect(service.cap_drop).toEqual(['ALL']);
    expect(service.security_opt).toContain('no-new-privileges:true');
    expect(service.read_only).toBe(name !== 'clamav');
    expect(service.healthcheck?.test[0]).toBe('CMD');
    expect(service.deploy?.resources.limits.memory).toMatch(/^\d+[MG]$/);
    // No service has its secrets in its environment.
    expect(JSON.stringify(service.environment ?? {})).not.toMatch(/(PASSWORD|KEYS|SECRET)":/);
  });

  it.each(names.filter((name) => !bffs.includes(name)))('names an exact version of %s', (name) => {
    expect(services[name]?.image).toMatch(/^docker\.io\/[a-z/]+:\d+\.\d+(\.\d+)?$/);
  });

  it('defines everything that its services use, and nothing else', () => {
    const uses = (list: (service: Service) => readonly string[]) =>
      [...new Set(Object.values(services).flatMap(list))].toSorted();
    const toSource = (use: string | { readonly source: string }) =>
      typeof use === 'string' ? use : use.source;
    expect(uses(({ secrets = [] }) => secrets.map(toSource))).toEqual(
      Object.keys(composition.secrets).toSorted(),
    );
    expect(uses(({ configs = [] }) => configs.map(toSource))).toEqual(
      Object.keys(composition.configs).toSorted(),
    );
    expect(
      uses(({ volumes = [] }) => volumes.map((volume) => volume.split(':', 1)[0] ?? '')),
    ).toEqual(Object.keys(composition.volumes).toSorted());
    expect(
      uses(({ networks = [] }) => (Array.isArray(networks) ? networks : Object.keys(networks))),
    ).toEqual(Object.keys(composition.networks).toSorted());
    const files = Object.values(composition.configs).map(({ file }) => file);
    expect(
      files.filter((file) => !file.startsWith('$') && !existsSync(join(folder, file))),
    ).toEqual([]);
  });

  it('waits for the parts that a service needs', () => {
    for (const [name, { depends_on: needed = {} }] of Object.entries(services)) {
      for (const [other, { condition }] of Object.entries(needed)) {
        expect(names, name).toContain(other);
        expect(condition).toBe(other === 'clamav' ? 'service_started' : 'service_healthy');
      }
    }
    expect(Object.keys(services['caddy']?.depends_on ?? {})).toEqual(bffs);
  });

  it('stops the proxy later than the BFFs, and these after their 50 s', () => {
    const seconds = (name: string) => Number.parseInt(services[name]?.stop_grace_period ?? '', 10);
    expect(seconds('bff-1')).toBeGreaterThan(50);
    expect(seconds('caddy')).toBeGreaterThan(seconds('bff-1'));
  });

  it('trusts the address of its proxy', () => {
    const networks = services['caddy']?.networks as Record<string, { ipv4_address?: string }>;
    expect(services['bff-1']?.environment?.['TRUSTED_PROXIES']).toBe(
      networks['inside']?.ipv4_address,
    );
  });

  it('gives the address of its proxy to no other service', () => {
    const [{ subnet, ip_range: range }] = composition.networks['inside']!.ipam!.config;
    const networks = services['caddy']?.networks as Record<string, { ipv4_address?: string }>;
    const address = networks['inside']!.ipv4_address!;
    const contains = (cidr: string) => {
      const [net = '', bits] = cidr.split('/');
      const list = new BlockList();
      list.addSubnet(net, Number(bits));
      return list.check(address);
    };
    expect({ subnet: contains(subnet), range: contains(range) }).toEqual({
      subnet: true,
      range: false,
    });
  });

  // A name has an address in each shared network, and the BFFs trust only one address of Caddy.
  it('connects services that call each other by one network', () => {
    const list = (name: string) => {
      const { networks = [] } = services[name]!;
      return Array.isArray(networks) ? networks : Object.keys(networks);
    };
    for (const [one, other] of [
      ['caddy', 'bff-1'],
      ['clamav', 'bff-1'],
    ] as const) {
      expect(list(one).filter((network) => list(other).includes(network))).toEqual(['inside']);
    }
  });

  it('gives both BFFs one archive of elements', () => {
    const { environment = {}, volumes = [] } = services['bff-1']!;
    const archive = { ...readBffVariables(), ...environment }['WIDGET_ARCHIVE']!;
    const [, mount] = volumes
      .map((volume) => volume.split(':'))
      .find(([name]) => name === 'widget-archive')!;
    // The image has this folder, so that a new volume belongs to the user of the BFF.
    expect([mount, dirname(archive)]).toEqual(['/var/lib/funding', '/var/lib/funding']);
  });

  it('mounts every file that bff.env names', () => {
    const { secrets = [], configs = [] } = services['bff-1']!;
    const targets = [...secrets, ...configs].map((use) =>
      typeof use === 'string' ? use : use.target,
    );
    const files = Object.values(readBffVariables()).filter((value) =>
      value.startsWith('/etc/funding'),
    );
    expect(targets.toSorted()).toEqual(files.toSorted());
  });
});

/** bff.env with the variables that compose.yaml changes. */
function readBffVariables(): Record<string, string> {
  const file = parseEnv(readFileSync(join(folder, 'bff.env'), 'utf8')) as Record<string, string>;
  return { ...file, ...services['bff-1']!.environment };
}

// compose-campaign.ts starts everything in Docker, and kills a BFF.
it('gives the BFFs a valid configuration', () => {
  const secrets = {
    'client-id': production.FUNDING_CLIENT_ID,
    'client-secret': production.FUNDING_CLIENT_SECRET,
    username: production.FUNDING_USERNAME,
    password: production.FUNDING_PASSWORD,
    'session-keys': production.SESSION_KEYS,
    'data-keys': production.DATA_KEYS,
    'database-url': readDatabaseUrl(),
    'metrics-token': strongKey(3),
  };
  const files = Object.entries(secrets).map(([name, text]) => [
    `/etc/funding/secrets/${name}`,
    text,
  ]);
  expect(listProblems(readBffVariables(), Object.fromEntries(files))).toEqual([]);
});

it.skipIf(!clamdProgram)('the scanner decides about documents', async () => {
  const daemon = await startClamd();
  onTestFinished(() => daemon.stop());
  const { scan } = createClamd(daemon.url, startKeepAliveTimer);
  const scanPdf = (content: Uint8Array) => scan(Readable.from([content]));
  expect(await scanPdf(createTextPdf('Statement of May'))).toBe('clean');
  expect(await scanPdf(createInfectedPdf())).toBe('infected');
});

// The one `psql` of PATH stands for that of the image.
it.skipIf(!hasPostgres() || !readTestTools().psql)(
  'creates a database whose owner is no superuser',
  async () => {
    const serverUrl = new URL(inject('postgresUrl')!);
    const secrets = mkdtempSync(join(tmpdir(), 'funding-application-create-'));
    onTestFinished(() => rmSync(secrets, { recursive: true }));
    const passwordFile = join(secrets, 'password');
    writeFileSync(passwordFile, "it's\n");
    const admin = new Client({ connectionString: serverUrl.href });
    await admin.connect();
    onTestFinished(async () => {
      await admin.query('drop database if exists funding');
      await admin.query('drop role if exists funding');
      await admin.end();
    });
    await promisify(execFile)('sh', [join(folder, 'create-database.sh')], {
      env: {
        PATH: process.env['PATH'],
        PGHOST: serverUrl.hostname,
        PGPORT: serverUrl.port,
        POSTGRES_USER: decodeURIComponent(serverUrl.username),
        PGPASSWORD: decodeURIComponent(serverUrl.password),
        DATABASE_PASSWORD_FILE: passwordFile,
      },
    });
    const { rows } = await admin.query(`
      select rolsuper, rolcanlogin, datname from pg_roles
      join pg_database on datdba = pg_roles.oid where rolname = 'funding'`);
    expect(rows).toEqual([{ rolsuper: false, rolcanlogin: true, datname: 'funding' }]);
  },
);

it('the database URL of the page is that of the composition', () => {
  expect(new Client({ connectionString: readDatabaseUrl() })).toMatchObject({
    host: '/run/postgresql',
    user: 'funding',
    password: 'a1b2c3',
    database: 'funding',
  });
});

/** With a password in place of the file. */
function readDatabaseUrl(): string {
  const { text } = findBlock(containersPage, (block) =>
    block.text.includes('secrets/database-url'),
  );
  const [, url = ''] = /echo "(postgres:.*)" > .*database-url/.exec(text)!;
  return url.replace(/\$\(cat [^)]+\)/, 'a1b2c3');
}
