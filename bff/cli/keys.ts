// `keys`: shows which data keys wrap the applications in the store, and rewraps all of them with the current key.

import {
  type DataKey,
  type DataKeyProblem,
  checkDataKeys,
  listDataKeyProblems,
} from '../store/data-keys.ts';
import { createEncryption, type Encryption } from '../store/encryption.ts';
import type { Store, WrappedKey } from '../store/store.ts';
import {
  type Command,
  CommandError,
  type CommandReport,
  onStore,
  readArguments,
  type StoreContext,
  UsageError,
} from './command.ts';
import { toCount, toTable } from './format.ts';

const batchSize = 200;

export const keys: Command = {
  name: 'keys',
  parameters: '[rotate]',
  summary: 'shows which data keys are in use; `rotate` moves all to the first',
  about: ['Without an argument: shows how many applications each data key wraps.'],
  arguments: {
    rotate:
      'rewraps all applications with the first key in `DATA_KEYS`. The BFF can run meanwhile. If the command is interrupted, run it again. First add this key to the `DATA_KEYS` of every BFF: the command cannot check that.',
  },
  guide: 'operate/keys.md',
  async run(call, io) {
    if (call.positionals.length === 0) return onStore(io, listKeys);
    const [word] = readArguments(call, 'rotate');
    if (word !== 'rotate') throw new UsageError('keys has no such argument. It takes only rotate.');
    return onStore(io, rotate);
  },
};

/** Throws a `CommandError` that describes the problems of the data keys. */
export function requireDataKeys(dataKeys: readonly DataKey[]): void {
  const problems = listDataKeyProblems(dataKeys);
  if (problems[0]) throw new CommandError(problems[0].code, joinMessages(problems));
}

async function listKeys({ config, store }: StoreContext): Promise<CommandReport> {
  const dataKeys = await checkDataKeys(store, config);
  requireDataKeys(dataKeys);
  return report(dataKeys);
}

async function rotate({ config, store }: StoreContext): Promise<CommandReport> {
  const before = await checkDataKeys(store, config);
  // An application that is rewrapped with a wrong key cannot be decrypted after the right key is back.
  requireDataKeys(before.filter(({ wrapsNew }) => wrapsNew));
  const encryption = createEncryption(config.dataKeys);
  const { rewrapped, unopened } = await rewrapAll(store, encryption);
  const done = `Moved ${toCount(rewrapped, 'application')} to data key ${config.dataKeys.currentId}.`;
  if (unopened.length > 0) {
    const reason = joinMessages(listDataKeyProblems(before)) || toDamageText(unopened);
    throw new CommandError('not-all-rotated', `${done}\n${reason}`);
  }
  const { json, text } = report(await checkDataKeys(store, config));
  return { json: { rewrapped, ...json }, text: `${done}\n\n${text}` };
}

function joinMessages(problems: readonly DataKeyProblem[]): string {
  return problems.map(({ message }) => message).join('\n');
}

function toDamageText([example, ...others]: readonly string[]): string {
  const count = toCount(others.length + 1, 'application');
  return `${count} could not be decrypted, for example ${example}. Restore the store from a backup, or erase what is damaged.`;
}

/** Replaces a key only if it is still the one that was read, so that a concurrent change by a BFF is not undone. */
async function rewrapAll(store: Store, encryption: Encryption) {
  /** Applications that stay as they are. Each batch leaves room for them, because the store lists them again. */
  const skipped = new Set<string>();
  const unopened: string[] = [];
  let rewrapped = 0;
  for (;;) {
    const limit = batchSize + skipped.size;
    const found = await store.listKeysToRewrap(encryption.wrappingKeyId, limit);
    const open = found.filter(({ applicationId }) => !skipped.has(applicationId));
    if (open.length === 0) return { rewrapped, unopened };
    for (const { applicationId, key } of open) {
      let next: WrappedKey | undefined;
      try {
        next = encryption.rewrapKey(applicationId, key);
      } catch {
        // The data key is missing or wrong, or the stored bytes are damaged.
        unopened.push(applicationId);
      }
      // Another process may have erased or rewrapped the application.
      if (next && (await store.replaceKey(applicationId, key, next))) rewrapped += 1;
      else skipped.add(applicationId);
    }
  }
}

function report(dataKeys: readonly DataKey[]): CommandReport {
  const table = toTable([
    ['data key', 'applications', ''],
    ...dataKeys.map(({ id, applications, wrapsNew }) => [
      id,
      applications,
      wrapsNew ? 'encrypts new applications' : '',
    ]),
  ]);
  // A key with a higher number than the current one was added for the next rotation.
  const current = Number(dataKeys.find(({ wrapsNew }) => wrapsNew)?.id);
  const removable = dataKeys
    .filter(({ id, applications }) => applications === 0 && Number(id) < current)
    .map(({ id }) => id);
  const advice = `You can remove from DATA_KEYS: ${removable.join(', ')}.
Earlier backups need the removed keys. Store each key in a safe place for as
long as you keep a backup that needs it.`;
  return {
    json: {
      dataKeys: dataKeys.map(({ id, applications, wrapsNew }) => ({ id, applications, wrapsNew })),
      removable,
    },
    text: removable.length === 0 ? table : `${table}\n\n${advice}`,
  };
}
