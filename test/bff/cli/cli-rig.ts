// Runs the commands on a store in memory, filled with encrypted canaries, with a sandbox as the funding service.

import { onTestFinished } from 'vitest';
import { defaultSettings } from '../../../bff/config/settings.ts';
import type { CommandIo } from '../../../bff/cli/command.ts';
import { runCommand } from '../../../bff/cli/run-command.ts';
import { readConfig } from '../../../bff/config/config.ts';
import { createFundingService } from '../../../bff/funding-service/client.ts';
import { toLead } from '../../../bff/funding-service/lead.ts';
import type { TransportResult } from '../../../bff/funding-service/transport.ts';
import type { Claim, DeliveryKind, Store, AttemptResult } from '../../../bff/store/store.ts';
import { openStore } from '../../../bff/store/open-store.ts';
import { createEncryption, type Encryption } from '../../../bff/store/encryption.ts';
import { createSandbox } from '../../../sandbox/app.ts';
import { createFullApplication } from '../../support/applications.ts';
import { createCanarySearch } from '../../support/canaries.ts';
import { createFetchTransport } from '../../support/fetch-transport.ts';
import { strongKey } from '../config/config-source.ts';
import { createManualTime } from '../../support/manual-time.ts';
import { createConsent, createNewApplication } from '../store/contract/rows.ts';
import { addEncryptedAttachment } from '../store/encrypted-rows.ts';

const application = createFullApplication();

/** No output may contain these: answers, a file's name and content, addresses, keys. */
const canaries = [
  application.business.name,
  application.business.taxId,
  application.owner.ssn,
  application.owner.email,
  application.owner.phone,
  application.owner.lastName,
  'canary-file-name',
  'canary-content',
  'canary-tracking.example',
  '192.0.2.77',
  strongKey(1),
  strongKey(2),
  'sandbox-password',
].map(String);

const search = createCanarySearch(canaries.map((value) => ({ name: value, value })));

/** Throws if the text contains a canary, in any encoding. */
export function refuseCanaries(text: string): void {
  const [found] = search.find(text);
  if (found !== undefined) throw new Error(`The text contains ${found}`);
}

export const first = '0199c0de-0000-7000-8000-000000000001';
export const second = '0199c0de-0000-7000-8000-000000000002';
export const unknown = '0199c0de-0000-7000-8000-00000000000f';

export interface CommandRun {
  readonly code: number;
  readonly out: string;
  readonly err: string;
  readonly json: any; // eslint-disable-line typescript/no-explicit-any
}

export type CliRig = Awaited<ReturnType<typeof createCliRig>>;

export const accepted = { state: 'accepted', serviceId: '006A' } as const;
export const held = { state: 'held', reason: 'deadline', isUncertain: false } as const;
export const waiting = { state: 'waiting', delayMs: 0, isUncertain: false } as const;

/** The store closes at the end of the test. */
export async function createCliRig(databaseUrl = 'file::memory:') {
  const time = createManualTime();
  const opened = await openStore(databaseUrl, { clock: time.clock });
  let closed: Promise<void> | undefined;
  const store: Store = { ...opened, close: () => (closed ??= opened.close()) };
  onTestFinished(() => store.close());
  const sandbox = createSandbox({ now: time.clock });
  const variables: Record<string, string> = {
    FUNDING_ENVIRONMENT: 'sandbox',
    WIDGET_FOLDER: 'none',
    DATA_KEYS: `1:${strongKey(1)}`,
  };
  const sandboxTransport = createFetchTransport((url, init) => sandbox.app.request(url, init));

  function readVariables() {
    const result = readConfig({ variables, readFile: () => '' });
    if ('problems' in result) throw new Error(result.problems.join('\n'));
    return result.config;
  }

  function createRigEncryption(): Encryption {
    return createEncryption(readVariables().dataKeys);
  }

  const io: Omit<CommandIo, 'print' | 'printError'> = {
    variables,
    readFile: () => '',
    clock: time.clock,
    // Tests read the store after the command has closed it.
    openStore: async () => ({ ...store, close: async () => undefined }),
    fetch,
    createTransport: () =>
      Object.assign(
        async (...call: Parameters<typeof sandboxTransport>) =>
          rig.networkFault ?? sandboxTransport(...call),
        { close: async () => undefined, abort: () => undefined },
      ),
  };

  const rig = {
    store,
    time,
    sandbox,
    /** The environment; each command reads it again. */
    variables,
    /** While it is set, every call to the funding service has this result. */
    networkFault: undefined as TransportResult | undefined,

    /** Throws if the output contains a canary. */
    run: (...argv: string[]): Promise<CommandRun> => rig.runWith({}, ...argv),

    /** Runs a command on the store with these methods. */
    runOn: (changes: Partial<Store>, ...argv: string[]): Promise<CommandRun> => {
      const openChanged = async () => ({ ...store, close: async () => undefined, ...changes });
      return rig.runWith({ openStore: openChanged }, ...argv);
    },

    async runWith(changes: Partial<CommandIo>, ...argv: string[]): Promise<CommandRun> {
      let out = '';
      let err = '';
      const code = await runCommand(argv, {
        ...io,
        print: (text) => (out += text),
        printError: (text) => (err += text),
        ...changes,
      });
      refuseCanaries(out + err);
      return { code, out, err, json: out.startsWith('{') ? JSON.parse(out) : undefined };
    },

    /** Adds an application with its own session and one consent. The first key of `variables` wraps it. */
    async add(reference = first, lead = JSON.stringify(application)) {
      const { key, cipher } = createRigEncryption().createCipher(reference);
      const at = time.clock();
      const encryptedLead = cipher.encrypt('lead', reference, lead);
      const row = createNewApplication({ id: reference, key, encryptedLead, receivedAt: at });
      const consent = createConsent(`c-${reference}`, reference);
      const encryptedAddress = cipher.encrypt('address', consent.id, '192.0.2.77');
      const evidence = { version: '2026-11', textHash: 'ab'.repeat(32), givenAt: at };
      await store.addApplication(row, [{ ...consent, ...evidence, encryptedAddress }]);
    },

    /** Adds a complete document of 14 bytes, or a bank report. */
    async addAttachment(id: string, kind: 'document' | 'bank-report' = 'document') {
      const category = kind === 'document' ? 'bank-statements-jan' : '';
      const row = { id, applicationId: first, kind, category, createdAt: time.clock() };
      const content = ['canary-content'];
      await addEncryptedAttachment(store, createRigEncryption(), row, content, 'canary-file-name');
    },

    async claim(kind: DeliveryKind = 'application'): Promise<Claim> {
      const claim = await store.claimDue(kind, 180_000);
      if (!claim || claim.kind === 'unreadable') throw new Error(`No ${kind} was due`);
      return claim;
    },

    /** Claims the next due row of the kind and records the result. */
    async recordResult(result: AttemptResult, kind: DeliveryKind = 'application'): Promise<void> {
      const isRecorded = await store.recordResult(await rig.claim(kind), result);
      if (!isRecorded) throw new Error('The settlement was not recorded');
    },

    /** The body of Create Lead for the application. */
    toLeadText(reference: string): string {
      const at = new Date(time.clock());
      const context = { id: reference, createdAt: at, signedAt: at };
      const options = { ...defaultSettings().lead, leadSource: 'Partner' };
      return JSON.stringify(toLead(application, context, options));
    },

    /** Creates the lead at the sandbox like an attempt whose answer is lost. Returns its ApplicationID. */
    async fileLead(reference: string): Promise<string> {
      const service = createFundingService({
        config: readVariables(),
        transport: sandboxTransport,
        clock: time.clock,
        onEvent: () => undefined,
      });
      const outcome = await service.createLead(rig.toLeadText(reference), reference);
      if (outcome.kind !== 'accepted') throw new Error(`The lead was ${outcome.kind}`);
      return outcome.value.applicationId;
    },
  };
  return rig;
}
