// A day with a wrong password: several processes that start, stop and die at will, on clocks that differ.

import { createPasswordGrant } from '../../bff/funding-service/grant.ts';
import { createLoginPauses, type LoginStore } from '../../bff/funding-service/login-pauses.ts';
import { createTokenCache, type TokenCache } from '../../bff/funding-service/token.ts';
import type { Transport } from '../../bff/funding-service/transport.ts';
import type { ManualTime } from '../bff/manual-time.ts';
import { createRandom } from '../support/random.ts';
import { createLoginWorld, findMost } from './login-world.ts';

const minuteMs = 60_000;
const stepMs = 5_000;

export interface WrongPassword {
  readonly hours: number;
  readonly refused: number;
  /** Refused logins within fifteen minutes. */
  readonly most: number;
  /** Processes that ended in the middle of a login. */
  readonly died: number;
  readonly problems: readonly string[];
}

export interface WrongPasswordOptions {
  readonly hours: number;
  readonly processes: number;
  readonly time: ManualTime;
  /** What a process that starts shares with the others. */
  readonly openStore: () => LoginStore;
}

/** At most three refused logins within any fifteen minutes; and once the password is right, everybody has a token. */
export async function runWrongPassword(options: WrongPasswordOptions): Promise<WrongPassword> {
  const { time } = options;
  const random = createRandom(7);
  const world = createLoginWorld(time.clock());
  world.isPasswordRight = false;
  let died = 0;
  let underWay = 0;

  const openStore = () => watchStore(options.openStore(), (change) => (underWay += change));
  const isIdle = () => underWay === 0;
  /** A process that dies while it logs in never hears the answer; the service has counted the login all the same. */
  const transport: Transport = async (request) => {
    world.now = time.clock();
    const result = await world.transport(request);
    if (random() >= 0.1) return result;
    died += 1;
    return new Promise(() => undefined);
  };
  const start = () => startProcess({ openStore, time, transport, random });
  const processes = Array.from({ length: options.processes }, start);

  const end = time.clock() + options.hours * 60 * minuteMs;
  while (time.clock() < end) {
    const answers = processes.map((cache) => askForToken(cache));
    const isAnswered = await passTime(answers, time, isIdle);
    for (const [index, answered] of isAnswered.entries()) {
      if (!answered || random() < 0.001) processes[index] = start();
    }
    time.advance(stepMs);
  }
  const most = findMost(world.refused, 15 * minuteMs);

  const { length } = world.refused;
  world.isPasswordRight = true;
  time.advance(15 * minuteMs);
  const healthy = Array.from({ length: options.processes }, () =>
    startProcess({ openStore, time, transport: world.transport, random }),
  );
  const answers = healthy.map((cache) => askForToken(cache));
  await passTime(answers, time, isIdle);
  const kinds = (await Promise.all(answers)).filter((kind) => kind !== 'token');
  const problems = [
    ...(most > 3 ? [`${most} refused logins within fifteen minutes`] : []),
    ...(length < options.hours * 3 ? [`only ${length} logins: nobody would see a right one`] : []),
    ...kinds.map((kind) => `${kind} with the right password`),
  ];
  return { hours: options.hours, refused: length, most, died, problems };
}

interface ProcessOptions extends Pick<WrongPasswordOptions, 'openStore' | 'time'> {
  readonly transport: Transport;
  readonly random: () => number;
}

function startProcess({ openStore, time, transport, random }: ProcessOptions): TokenCache {
  const skewMs = Math.floor(random() * 3 - 1) * 10 * minuteMs;
  const clock = () => time.clock() + skewMs;
  const grant = createPasswordGrant({
    transport,
    authUrl: 'https://login.example',
    baseUrl: 'https://service.example',
    clientId: 'c',
    clientSecret: 's',
    username: 'u',
    password: 'wrong',
    clock,
    onEvent: () => undefined,
  });
  const pauses = createLoginPauses(openStore(), 'credentials');
  return createTokenCache({ grant, pauses, clock, after: time.after, onEvent: () => undefined });
}

async function askForToken(cache: TokenCache): Promise<string> {
  return (await cache.get()).kind;
}

/** Tells of each change that begins (1) and ends (-1). */
function watchStore(store: LoginStore, onChange: (change: 1 | -1) => void): LoginStore {
  return {
    async changeLogin(credentials, change) {
      onChange(1);
      try {
        return await store.changeLogin(credentials, change);
      } finally {
        onChange(-1);
      }
    },
  };
}

/** Turns in which nothing happens at all; a login and what follows it need fewer. */
const quietTurns = 20;

/** Lets what waits for another's login go on, and tells which were answered: who died never is. */
async function passTime(
  answers: readonly Promise<string>[],
  time: ManualTime,
  isIdle: () => boolean,
): Promise<readonly boolean[]> {
  const isAnswered = answers.map(() => false);
  for (const [index, answer] of answers.entries()) {
    void answer.then(() => {
      isAnswered[index] = true;
    });
  }
  for (let quiet = 0; quiet < quietTurns && isAnswered.includes(false); quiet += 1) {
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
    const [next] = time.listTimers();
    if (!isIdle()) quiet = 0;
    else if (next !== undefined) {
      quiet = 0;
      time.advance(next);
    }
  }
  return isAnswered;
}
