// Sends changed and revoked seals. The BFF has to refuse every one with 401.

import { randomUUID } from 'node:crypto';
import { sessionTransports } from '../../../bff/middleware/session.ts';
import { apiPaths } from '../../../shared/api/paths.ts';
import type { Answer } from '../../support/applicant.ts';
import { startBff, type TestBff } from '../../support/bff.ts';
import { type CampaignContext, type CampaignRow, scale } from '../campaign.ts';
import { createSessionClient, type SessionClient } from './session-client.ts';

const concurrency = 40;
/** A prime, so that the flips reach all positions before one repeats. */
const stride = 7919;

export async function attackSeals({ share }: CampaignContext): Promise<CampaignRow> {
  const [flips, replays] = [scale(100_000, share), scale(1_000, share)];
  const bff = await startBff();
  const attack = createAttack(bff);
  for (const transport of sessionTransports) {
    await attack.flip(await openClient(bff, transport), flips / 2);
    await attack.cutAndJoin(await openClient(bff, transport), await openClient(bff, transport));
    await attack.replay(transport, replays / 2);
  }
  await bff.close();
  const { sent, unsendable, problems } = attack.result();
  const notes = `${flips} flips, ${replays} revoked sessions; ${unsendable} more that no header can contain`;
  return { runs: sent, unit: 'seals', notes, problems };
}

function createAttack(bff: TestBff) {
  const problems: string[] = [];
  let sent = 0;
  let unsendable = 0;

  async function sendAll(
    client: SessionClient,
    what: string,
    seals: readonly string[],
  ): Promise<void> {
    for (let start = 0; start < seals.length; start += concurrency) {
      const some = seals.slice(start, start + concurrency);
      await Promise.all(
        some.map((seal, index) => trySeal(client, seal, `${what} ${start + index}`)),
      );
    }
    const genuine = await client.send('GET', apiPaths.application);
    if (genuine.status !== 200) problems.push(`${what}: the valid seal got ${genuine.status}`);
  }

  async function trySeal(client: SessionClient, seal: string, what: string): Promise<void> {
    const headers = client.toHeaders(seal);
    if (!canBeSent(headers)) {
      unsendable += 1;
      return;
    }
    const path = sent % 2 === 0 ? apiPaths.application : apiPaths.session;
    record(await client.send('GET', path, undefined, headers), `${client.transport}, ${what}`);
  }

  function record(answer: Answer, what: string): void {
    sent += 1;
    const isRefused = answer.status === 401 && answer.json?.code === 'session-missing';
    if (!isRefused) problems.push(`${what}: ${answer.status} ${answer.json?.code ?? ''}`);
    if (answer.headers.getSetCookie().length > 0) problems.push(`${what}: a cookie was set`);
  }

  return {
    result: () => ({ sent, unsendable, problems }),

    /** Flips one bit per seal, and a second bit when `count` exceeds the number of bits. */
    flip(client: SessionClient, count: number): Promise<void> {
      const seal = client.seal();
      const bits = seal.length * 8;
      const flipped = Array.from({ length: count }, (_none, index) => {
        const first = (index * stride) % bits;
        const once = flipBit(seal, first);
        const round = Math.floor(index / bits);
        return round === 0 ? once : flipBit(once, (first + round * 8) % bits);
      });
      return sendAll(client, 'flip', flipped);
    },

    async cutAndJoin(client: SessionClient, other: SessionClient): Promise<void> {
      const seal = client.seal();
      const cuts = Array.from(seal, (_letter, index) => seal.slice(0, index));
      const tails = Array.from(seal, (_letter, index) => seal.slice(index + 1));
      await sendAll(client, 'cut', [...cuts, ...tails].filter(Boolean));
      const endings = ['a', '*', '~', '~2', '=', '%00', '.', `~${seal}`, seal, '*'.repeat(2000)];
      const joined = [...endings.map((end) => seal + end), ...['a', '*', '"'].map((a) => a + seal)];
      await sendAll(client, 'join', joined);
      const theirs = other.seal().split('*');
      const mixed = seal
        .split('*')
        .map((part, index, parts) =>
          part === theirs[index] ? '' : parts.with(index, theirs[index] ?? '').join('*'),
        );
      await sendAll(client, 'mix', mixed.filter(Boolean));
    },

    /** Sends the seal again after the session ended. */
    async replay(transport: SessionClient['transport'], count: number): Promise<void> {
      for (let index = 0; index < count; index += 1) {
        const client = await openClient(bff, transport);
        const kept = client.toHeaders(client.seal());
        const ended = await client.send('DELETE', apiPaths.session);
        if (ended.status !== 204) problems.push(`replay ${index}: its end got ${ended.status}`);
        for (const [method, path] of replayed) {
          record(
            await client.send(method, path, undefined, kept),
            `replay ${index} ${method} ${path}`,
          );
        }
      }
    },
  };
}

const replayed = [
  ['GET', apiPaths.session],
  ['GET', apiPaths.application],
  ['GET', apiPaths.offers],
  ['DELETE', apiPaths.session],
] as const;

async function openClient(
  bff: TestBff,
  transport: SessionClient['transport'],
): Promise<SessionClient> {
  const client = createSessionClient(bff, transport);
  await client.begin();
  await client.apply(randomUUID());
  return client;
}

function flipBit(text: string, bit: number): string {
  const at = Math.floor(bit / 8);
  const code = text.charCodeAt(at) ^ (1 << (bit % 8));
  return text.slice(0, at) + String.fromCharCode(code) + text.slice(at + 1);
}

function canBeSent(headers: Readonly<Record<string, string>>): boolean {
  try {
    return new Headers(headers) instanceof Headers;
  } catch (error) {
    if (error instanceof TypeError) return false;
    throw error;
  }
}
