// `keys`: which data keys the store's applications are under, and how they move to the one that wraps new ones.

import {
  type DataKey,
  type DataKeyProblem,
  checkDataKeys,
  listDataKeyProblems,
} from '../store/data-keys.ts';
import type { Store, WrappedKey } from '../store/store.ts';
import { createEncryption, type Encryption } from '../store/encryption.ts';
import {
  readArguments,
  UsageError,
  type Command,
  type CommandContext,
  type CommandFailure,
  type CommandResult,
} from './command.ts';
import { toCount, toTable } from './format.ts';

const batchSize = 200;

export const keys: Command = {
  kind: 'store',
  name: 'keys',
  parameters: '[rotate]',
  summary: 'which data keys are in use; rotate moves all to the first',
  help: `Without an argument: how many applications each data key wraps. "keys rotate"
wraps them all by the first one in DATA_KEYS, in small steps beside a running
BFF; when it breaks off, run it again. It does not know the DATA_KEYS of the
BFFs: every one of them has to have that key before.`,
  prepare(call) {
    if (call.positionals.length === 0) return listKeys;
    const [word] = readArguments(call, 'rotate');
    if (word !== 'rotate') throw new UsageError('keys takes nothing but the word rotate.');
    return rotate;
  },
};

/** `undefined` when there is no problem. */
export function toDataKeyFailure(problems: readonly DataKeyProblem[]): CommandFailure | undefined {
  const [first] = problems;
  return first && { error: first.code, message: joinMessages(problems) };
}

async function listKeys({ config, store }: CommandContext): Promise<CommandResult> {
  const dataKeys = await checkDataKeys(store, config);
  const failure = toDataKeyFailure(listDataKeyProblems(dataKeys));
  if (failure) return failure;
  return {
    json: { dataKeys: dataKeys.map(toJson), removable: listRemovable(dataKeys) },
    text: toText(dataKeys),
  };
}

async function rotate({ config, store }: CommandContext): Promise<CommandResult> {
  const before = await checkDataKeys(store, config);
  // What is moved under a wrong key cannot be opened once the former one is put back.
  const refusal = toDataKeyFailure(listDataKeyProblems(before.filter(({ wrapsNew }) => wrapsNew)));
  if (refusal) return refusal;
  const encryption = createEncryption(config.dataKeys, { wrapWith: config.dataKeyId });
  const { rewrapped, unopened } = await rewrapAll(store, encryption);
  const done = `${toCount(rewrapped, 'application')} moved to data key ${config.dataKeyId}.`;
  if (unopened.length > 0) {
    const reason = joinMessages(listDataKeyProblems(before)) || toDamageText(unopened);
    return { error: 'not-all-rotated', message: `${done}\n${reason}` };
  }
  const dataKeys = await checkDataKeys(store, config);
  return {
    json: { rewrapped, dataKeys: dataKeys.map(toJson), removable: listRemovable(dataKeys) },
    text: `${done}\n\n${toText(dataKeys)}`,
  };
}

function joinMessages(problems: readonly DataKeyProblem[]): string {
  return problems.map(({ message }) => message).join('\n');
}

function toDamageText(references: readonly string[]): string {
  const [example] = references;
  const count = toCount(references.length, 'application');
  return `${count} could not be opened and stayed, for example ${example}: take the store from a backup, or erase what is damaged.`;
}

/** Each key is put in the place of the very one it was made from, so that nothing a BFF does meanwhile is undone. */
async function rewrapAll(
  store: Store,
  encryption: Encryption,
): Promise<{ readonly rewrapped: number; readonly unopened: readonly string[] }> {
  /** Found, and not moved by us. They may be found again: room is left for others behind them. */
  const left = new Set<string>();
  const unopened: string[] = [];
  let rewrapped = 0;
  for (;;) {
    const limit = batchSize + left.size;
    const found = await store.listKeysToRewrap(encryption.wrappingKeyId, limit);
    const open = found.filter(({ applicationId }) => !left.has(applicationId));
    if (open.length === 0) return { rewrapped, unopened };
    for (const { applicationId, key } of open) {
      const next = tryRewrap(encryption, applicationId, key);
      if (next && (await store.replaceKey(applicationId, key, next))) {
        rewrapped += 1;
      } else {
        // Without a key to put there it cannot be opened; else another process was quicker and erased or moved it.
        left.add(applicationId);
        if (!next) unopened.push(applicationId);
      }
    }
  }
}

function tryRewrap(
  encryption: Encryption,
  applicationId: string,
  key: WrappedKey,
): WrappedKey | undefined {
  try {
    return encryption.rewrapKey(applicationId, key);
  } catch {
    // Its data key is gone or another, or the bytes were changed: in each case there is nothing to wrap.
    return undefined;
  }
}

/** Not those of a higher number than the one that wraps: they were added for the next change, and wrap nothing yet. */
function listRemovable(dataKeys: readonly DataKey[]): readonly string[] {
  const wrapping = Number(dataKeys.find(({ wrapsNew }) => wrapsNew)?.id);
  return dataKeys
    .filter(({ id, applications }) => applications === 0 && Number(id) < wrapping)
    .map(({ id }) => id);
}

function toText(dataKeys: readonly DataKey[]): string {
  const table = toTable([
    ['data key', 'applications', ''],
    ...dataKeys.map(({ id, applications, wrapsNew }) => [
      id,
      applications,
      wrapsNew ? 'wraps new ones' : '',
    ]),
  ]);
  const removable = listRemovable(dataKeys);
  if (removable.length === 0) return table;
  return `${table}

Can be taken out of DATA_KEYS: ${removable.join(', ')}.
Backups made before can then be opened by nobody: keep the key where you keep secrets
for as long as you keep those.`;
}

function toJson({ id, applications, wrapsNew }: DataKey): object {
  return { id, applications, wrapsNew };
}
