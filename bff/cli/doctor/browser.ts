// What a browser would send to the BFF from a page of some origin, and what it makes of the answer.

import * as z from 'zod/mini';
import { apiHeaders } from '../../../shared/api/paths.ts';
import { problemCodes, type ProblemCode } from '../../../shared/api/problems.ts';
import { toJson } from '../../runtime/json.ts';
import type { Arrived, Lost, Visit } from './visit.ts';

/** As `Sec-Fetch-Site` says it. */
export type Relation = 'same-origin' | 'same-site' | 'cross-site';

/** Of what every request carries. `undefined` as a value takes the header away. */
export type ChangedHeaders = Readonly<Record<string, string | undefined>>;

export interface Browser {
  readonly origin: string;
  /** The BFF's. */
  readonly publicOrigin: string;
  /** Where the page stands to the BFF. */
  readonly relation: Relation;
  get(path: string, headers?: ChangedHeaders): Promise<Arrived | Lost>;
  delete(path: string, headers?: ChangedHeaders): Promise<Arrived | Lost>;
  postJson(path: string, body: object): Promise<Arrived | Lost>;
  postBytes(path: string, body: Uint8Array, headers: ChangedHeaders): Promise<Arrived | Lost>;
  /** Asks whether a POST with these headers may be sent. */
  preflight(path: string, headers: readonly string[]): Promise<Arrived | Lost>;
}

/** On every request of the doctor: answers come as they are, and the logs of proxies can tell whose it was. */
export const visitorHeaders = {
  'user-agent': 'Mozilla/5.0 (compatible; funding-application doctor)',
  'accept-encoding': 'identity',
} as const;

/** Nobody's (RFC 2606). */
export const foreignOrigin = 'https://doctor.invalid';

/** Enough for 10 MiB over a slow line. */
const uploadMs = 120_000;

export function createBrowser(visit: Visit, publicOrigin: string, origin: string): Browser {
  const relation = toRelation(origin, publicOrigin);
  const pageHeaders = {
    ...visitorHeaders,
    accept: '*/*',
    'sec-fetch-site': relation,
    'sec-fetch-mode': 'cors',
    'sec-fetch-dest': 'empty',
  };

  function send(
    method: string,
    path: string,
    changes: ChangedHeaders = {},
    rest: { readonly body?: Uint8Array; readonly timeoutMs?: number } = {},
  ): Promise<Arrived | Lost> {
    // Browsers leave Origin out of a GET to the page's own origin.
    const named = method === 'GET' && relation === 'same-origin' ? {} : { origin };
    const all = { ...pageHeaders, ...named, [apiHeaders.request]: '1', ...changes };
    return visit({ method, url: publicOrigin + path, headers: withoutUndefined(all), ...rest });
  }

  return {
    origin,
    publicOrigin,
    relation,
    get: (path, headers) => send('GET', path, headers),
    delete: (path, headers) => send('DELETE', path, headers),
    postJson: (path, body) =>
      send(
        'POST',
        path,
        { 'content-type': 'application/json' },
        { body: Buffer.from(JSON.stringify(body)) },
      ),
    postBytes: (path, body, headers) =>
      send(
        'POST',
        path,
        { 'content-type': 'application/octet-stream', ...headers },
        { body, timeoutMs: uploadMs },
      ),
    preflight: (path, headers) =>
      send('OPTIONS', path, {
        [apiHeaders.request]: undefined,
        'access-control-request-method': 'POST',
        'access-control-request-headers': headers.join(','),
      }),
  };
}

/**
 * Sites share the scheme and the registrable domain, which takes a list of public suffixes to know. Other last two labels
 * are certainly another site; the same ones only look like one, since `a.co.uk` and `b.co.uk` are two.
 */
export function toRelation(origin: string, publicOrigin: string): Relation {
  const [page, bff] = [new URL(origin), new URL(publicOrigin)];
  if (page.origin === bff.origin) return 'same-origin';
  const isSite = page.protocol === bff.protocol && toSite(page.hostname) === toSite(bff.hostname);
  return isSite ? 'same-site' : 'cross-site';
}

function toSite(hostname: string): string {
  const isAddress = /^[\d.]+$|^\[/.test(hostname);
  return isAddress ? hostname : hostname.split('.').slice(-2).join('.');
}

function withoutUndefined(headers: ChangedHeaders): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

const problemSchema = z.object({ code: z.enum(problemCodes) });

/** The code of one of our own refusals; `undefined` for all else. */
export function toProblem(answer: Arrived | Lost): ProblemCode | undefined {
  if (toMediaType(answer) !== 'application/problem+json') return undefined;
  return readJson(answer, problemSchema)?.code;
}

/** By its status alone: whether refusals arrive as the BFF wrote them is a check of its own. */
export function isRefused(answer: Arrived | Lost, status: 401 | 403): boolean {
  return answer.kind === 'arrived' && answer.status === status;
}

/** `undefined` when it is not what the schema says. */
export function readJson<Schema extends z.ZodMiniType>(
  answer: Arrived | Lost,
  schema: Schema,
): z.infer<Schema> | undefined {
  if (answer.kind === 'lost') return undefined;
  return schema.safeParse(toJson(answer.bytes.toString())).data;
}

/** Without its parameters; empty when there is none. */
export function toMediaType(answer: Arrived | Lost): string {
  if (answer.kind === 'lost') return '';
  const [type = ''] = (answer.headers.get('content-type') ?? '').split(';', 1);
  return /^[\w.+/-]{1,60}$/.test(type.trim()) ? type.trim().toLowerCase() : '';
}

/** For example `403 origin-refused`, `502 text/html`, `ECONNRESET`. */
export function describe(answer: Arrived | Lost): string {
  if (answer.kind === 'lost') return answer.code;
  const what = toProblem(answer) ?? toMediaType(answer);
  return `${answer.status} ${what || 'without a type'}`;
}
