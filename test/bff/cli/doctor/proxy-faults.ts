// What proxies break, as tests order it from the doctor's rig.

import { apiPaths } from '../../../../shared/api/paths.ts';
import { toAnswer, type PlainAnswer, type ProxyFaults } from './doctor-rig.ts';

type IsMeant = (asked: { readonly method?: string; readonly url?: string }) => boolean;

export const below =
  (path: string): IsMeant =>
  ({ url }) =>
    url!.startsWith(path);

export const byMethod =
  (...methods: readonly string[]): IsMeant =>
  ({ method }) =>
    methods.includes(method!);

export function answers(isMeant: IsMeant, answer: PlainAnswer): ProxyFaults {
  return { answerInstead: (asked) => (isMeant(asked) ? answer : undefined) };
}

/** Answers 413 as soon as a longer body is announced. */
export function refusesBodies(maxBytes: number): ProxyFaults {
  return {
    answerInstead: ({ headers }) =>
      Number(headers['content-length'] ?? 0) > maxBytes ? toAnswer(413) : undefined,
  };
}

export function refusesHeads(maxLength: number): ProxyFaults {
  return {
    answerInstead: ({ rawHeaders }) =>
      rawHeaders.join('').length > maxLength ? toAnswer(431) : undefined,
  };
}

/** Of requests. */
export function writes(headers: Readonly<Record<string, string>>): ProxyFaults {
  return { changeRequest: (asked) => void Object.assign(asked, headers) };
}

/** Of requests. */
export function strips(name: string): ProxyFaults {
  return { changeRequest: (asked) => void delete asked[name] };
}

/** Of answers. */
export function sets(isMeant: IsMeant, name: string, value: string): ProxyFaults {
  return {
    changeAnswer({ headers }, asked) {
      if (isMeant(asked)) headers.set(name, value);
    },
  };
}

export function adds(isMeant: IsMeant, name: string, value: string): ProxyFaults {
  return {
    changeAnswer({ headers }, asked) {
      if (isMeant(asked)) headers.append(name, value);
    },
  };
}

export function changesCookies(part: string, other: string): ProxyFaults {
  return {
    changeAnswer({ headers }) {
      const lines = headers.getSetCookie();
      headers.delete('set-cookie');
      for (const line of lines) headers.append('set-cookie', line.replace(part, other));
    },
  };
}

export const stripsCookies: ProxyFaults = {
  changeAnswer: ({ headers }) => headers.delete('set-cookie'),
};

export const changesChunks: ProxyFaults = {
  changeAnswer(answer, { url }) {
    if (url!.includes('/chunks/')) answer.body = 'changed';
  },
};

/** Puts its own page in the place of every refusal, under the same status. */
export const replacesRefusals: ProxyFaults = {
  changeAnswer(answer) {
    if (answer.status >= 400) Object.assign(answer, toAnswer(answer.status));
  },
};

export function keepsAnswers(): ProxyFaults {
  const kept = new Map<string, PlainAnswer>();
  return {
    answerInstead: ({ url, method }) => (method === 'GET' ? kept.get(url!) : undefined),
    changeAnswer(answer, { url }) {
      if (url === '/v1/configuration') kept.set(url, answer);
    },
  };
}

/** As the limit by address does: so many sessions, and the next one after 43 s. */
export function letsSessionsBegin(count: number): ProxyFaults {
  let begun = 0;
  return {
    answerInstead({ url, method }) {
      if (url !== apiPaths.session || method !== 'POST') return undefined;
      begun += 1;
      return begun === count + 1 ? limited : undefined;
    },
  };
}

const limited = toAnswer(
  429,
  { 'content-type': 'application/problem+json', 'retry-after': '43' },
  '{"code":"too-many-requests"}',
);
