// `keys`: which data keys the journal's applications are under, and how they move to the newest one.

import type { Journal } from '../journal/journal.ts';
import type { WrappedKey } from '../journal/records.ts';
import { createSealing, type Sealing } from '../journal/sealing.ts';
import {
  readArguments,
  UsageError,
  type Command,
  type CommandContext,
  type CommandResult,
} from './command.ts';
import { toCount, toTable } from './text.ts';

const batchSize = 200;

export const keys: Command = {
  name: 'keys',
  parameters: '[rotate]',
  summary: 'which data keys are in use; rotate moves all to the newest',
  help: `Without an argument: how many applications each data key wraps. "keys rotate"
wraps them all by the newest one, in small steps beside a running BFF; when it
breaks off, run it again. Every BFF has to run with the newest key before.`,
  prepare(call) {
    if (call.positionals.length === 0) return listKeys;
    const [word] = readArguments(call, 'rotate');
    if (word !== 'rotate') throw new UsageError('keys takes nothing but the word rotate.');
    return rotate;
  },
};

/** A data key, by its id; the key itself is shown nowhere. */
export interface KeyUse {
  readonly id: string;
  readonly applications: number;
  readonly isNewest: boolean;
  /** Whether DATA_KEYS holds it. */
  readonly isThere: boolean;
}

/** Highest id first. Applications that were erased have no key any more. */
export async function listKeyUse({
  config,
  journal,
}: Pick<CommandContext, 'config' | 'journal'>): Promise<readonly KeyUse[]> {
  const counts = new Map(
    (await journal.countKeys()).map(({ keyId, count }) => [keyId, count] as const),
  );
  const { newestKeyId } = createSealing(config.dataKeys);
  const ids = new Set([...Object.keys(config.dataKeys), ...counts.keys()]);
  return [...ids]
    .sort((a, b) => Number(b) - Number(a))
    .map((id) => ({
      id,
      applications: counts.get(id) ?? 0,
      isNewest: id === newestKeyId,
      isThere: config.dataKeys[id] !== undefined,
    }));
}

/** `undefined` when no application is under a key that is gone. */
export function toMissingText(uses: readonly KeyUse[]): string | undefined {
  const missing = uses.filter(({ isThere }) => !isThere);
  if (missing.length === 0) return undefined;
  const ids = missing.map(({ id }) => id).join(', ');
  const sum = missing.reduce((total, { applications }) => total + applications, 0);
  return `${toCount(sum, 'application')} cannot be opened without data key ${ids}: put it back into DATA_KEYS.`;
}

async function listKeys(context: CommandContext): Promise<CommandResult> {
  const uses = await listKeyUse(context);
  return {
    json: { dataKeys: uses.map(toJson), removable: listRemovable(uses) },
    text: [toUseTable(uses), toRemovableText(uses), toMissingText(uses)]
      .filter((part) => part !== undefined)
      .join('\n\n'),
  };
}

async function rotate(context: CommandContext): Promise<CommandResult> {
  const { config, journal } = context;
  const { rewrapped, unopened } = await rewrapAll(journal, createSealing(config.dataKeys));
  const uses = await listKeyUse(context);
  const done = `${toCount(rewrapped, 'application')} moved to the newest data key.`;
  if (unopened > 0) {
    const reason =
      toMissingText(uses) ?? `${toCount(unopened, 'application')} could not be opened and stayed.`;
    return { error: 'not-all-rotated', message: `${done} ${reason}` };
  }
  return {
    json: { rewrapped, dataKeys: uses.map(toJson), removable: listRemovable(uses) },
    text: [done, toUseTable(uses), toRemovableText(uses)]
      .filter((part) => part !== undefined)
      .join('\n\n'),
  };
}

/** Each key is put in the place of the very one it was made from, so that nothing a BFF does meanwhile is undone. */
async function rewrapAll(
  journal: Journal,
  sealing: Sealing,
): Promise<{ readonly rewrapped: number; readonly unopened: number }> {
  /** Found, and not moved by us. They may be found again: room is left for others behind them. */
  const left = new Set<string>();
  let rewrapped = 0;
  let unopened = 0;
  for (;;) {
    const limit = batchSize + left.size;
    const found = await journal.listKeysNotUnder(sealing.newestKeyId, limit);
    const open = found.filter(({ applicationId }) => !left.has(applicationId));
    if (open.length === 0) return { rewrapped, unopened };
    for (const { applicationId, key } of open) {
      const next = tryRewrap(sealing, applicationId, key);
      if (next && (await journal.replaceKey(applicationId, key, next))) {
        rewrapped += 1;
      } else {
        // Without a key to put there it cannot be opened; else another process was quicker and erased or moved it.
        left.add(applicationId);
        if (!next) unopened += 1;
      }
    }
  }
}

function tryRewrap(
  sealing: Sealing,
  applicationId: string,
  key: WrappedKey,
): WrappedKey | undefined {
  try {
    return sealing.rewrap(applicationId, key);
  } catch {
    // Its data key is gone, or the bytes were changed: either way there is nothing to wrap.
    return undefined;
  }
}

function listRemovable(uses: readonly KeyUse[]): readonly string[] {
  return uses
    .filter(({ isNewest, isThere, applications }) => isThere && !isNewest && applications === 0)
    .map(({ id }) => id);
}

function toRemovableText(uses: readonly KeyUse[]): string | undefined {
  const removable = listRemovable(uses);
  if (removable.length === 0) return undefined;
  return `Can be taken out of DATA_KEYS: ${removable.join(', ')}.
Backups made before can then be opened by nobody: keep the key where you keep secrets
for as long as you keep those.`;
}

function toUseTable(uses: readonly KeyUse[]): string {
  return toTable([
    ['data key', 'applications', ''],
    ...uses.map(({ id, applications, isNewest, isThere }) => [
      id,
      applications,
      isNewest ? 'wraps new ones' : isThere ? '' : 'not in DATA_KEYS',
    ]),
  ]);
}

function toJson({ id, applications, isNewest, isThere }: KeyUse): object {
  return { id, applications, isNewest, isThere };
}
