// The cells of the route sweep, and which of them may reach a handler. Derived from the API's contract, not from the origin gate's code.

export const ownOrigin = 'http://localhost:8081';
export const listedOrigin = 'http://localhost:8080';
export const crossSiteOrigin = 'http://partner.example';

/** `undefined`: the header is missing. */
export interface Cell {
  readonly path: string;
  readonly method: string;
  readonly requestHeader: string | undefined;
  readonly origin: string | undefined;
  readonly site: string | undefined;
  readonly mode: string | undefined;
  readonly body: Body;
  /** Whether the browser has a session on each of the three origins. */
  readonly hasSession: boolean;
}

type Body = 'none' | 'untyped' | keyof typeof contentTypes;

export const contentTypes = {
  json: 'application/json',
  bytes: 'application/octet-stream',
  form: 'application/x-www-form-urlencoded',
  multipart: 'multipart/form-data; boundary=x',
  text: 'text/plain',
} as const;

/** Every route below `/v1`. Add new routes here. */
export const contract = [
  'GET /v1/configuration',
  'POST /v1/session',
  'GET /v1/session',
  'DELETE /v1/session',
  'POST /v1/application',
  'GET /v1/application',
  'GET /v1/offers',
  'POST /v1/contact',
  'POST /v1/documents',
  'GET /v1/documents',
  'POST /v1/asset-report',
] as const;

const sessionless = new Set(['GET /v1/configuration', 'POST /v1/session']);

/** The accepted values of `Sec-Fetch-Site` for each `Origin`. */
const allowedSites = new Map<string | undefined, readonly (string | undefined)[]>([
  [ownOrigin, ['same-origin', undefined]],
  [listedOrigin, ['same-origin', 'same-site', undefined]],
  [crossSiteOrigin, ['same-origin', 'same-site', 'cross-site', undefined]],
  [undefined, ['same-origin']],
]);

const values: { readonly [Name in keyof Cell]: readonly Cell[Name][] } = {
  path: [...new Set(contract.map((route) => route.split(' ')[1] ?? ''))],
  method: ['GET', 'POST', 'DELETE', 'HEAD', 'PUT', 'PATCH', 'OPTIONS', 'QUERY', 'PROPFIND'],
  requestHeader: ['1', undefined, '0'],
  origin: [
    listedOrigin,
    crossSiteOrigin,
    ownOrigin,
    undefined,
    'https://evil.example',
    'null',
    '',
    'http://localhost:8080.evil.example',
    'http://evil.localhost:8080',
    'http://localhost:8088',
    'https://localhost:8080',
    'HTTP://LOCALHOST:8080',
    'http://localhost:8080/',
    'http://localhost:8080, https://evil.example',
  ],
  site: ['same-origin', 'same-site', 'cross-site', 'none', undefined],
  mode: ['cors', 'same-origin', 'no-cors', 'navigate', 'websocket', undefined],
  body: ['none', 'untyped', 'json', 'bytes', 'form', 'multipart', 'text'],
  hasSession: [true, false],
};

const names = Object.keys(values) as readonly (keyof Cell)[];

export const cellCount = names.reduce((count, name) => count * values[name].length, 1);

/** @param index from 0 to below `cellCount`. */
export function toCell(index: number): Cell {
  let rest = index;
  const entries = names.map((name) => {
    const { length } = values[name];
    const value = values[name][rest % length];
    rest = Math.floor(rest / length);
    return [name, value] as const;
  });
  // Each name got a value of its own list.
  return Object.fromEntries(entries) as unknown as Cell;
}

/** The cells that differ from a cell in one value. */
export function listNeighbors(index: number): readonly number[] {
  const neighbors: number[] = [];
  let weight = 1;
  for (const name of names) {
    const { length } = values[name];
    const place = Math.floor(index / weight) % length;
    for (let other = 0; other < length; other += 1) {
      if (other !== place) neighbors.push(index + (other - place) * weight);
    }
    weight *= length;
  }
  return neighbors;
}

/** True if an allowed page can have sent the request, and the path accepts its method. */
export function mayPassOriginGate(cell: Cell): boolean {
  const accepted = cell.path === '/v1/documents' ? 'bytes' : 'json';
  return (
    contract.some((route) => route === `${cell.method} ${cell.path}`) &&
    cell.requestHeader === '1' &&
    (allowedSites.get(cell.origin)?.includes(cell.site) ?? false) &&
    ['cors', 'same-origin', undefined].includes(cell.mode) &&
    ['none', accepted].includes(cell.body)
  );
}

/** The route whose handler has to run; `undefined` if none may run. */
export function findHandler(cell: Cell): string | undefined {
  const route = `${cell.method} ${cell.path}`;
  if (!mayPassOriginGate(cell)) return undefined;
  return cell.hasSession || sessionless.has(route) ? route : undefined;
}

/** The origin whose page may read the response. */
export function findReader(cell: Cell): string | undefined {
  const isListed = cell.origin === listedOrigin || cell.origin === crossSiteOrigin;
  const isConsistent =
    (allowedSites.get(cell.origin)?.includes(cell.site) ?? false) &&
    ['cors', 'same-origin', undefined].includes(cell.mode);
  return isListed && isConsistent && cell.method !== 'OPTIONS' ? cell.origin : undefined;
}

/** The cells that have to reach a handler. */
export const answeredCells: readonly number[] = Array.from(
  { length: cellCount },
  (_none, index) => index,
).filter((index) => findHandler(toCell(index)) !== undefined);
