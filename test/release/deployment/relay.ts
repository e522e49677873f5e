// Copies connections from one address to another. A socket file is reachable from every network namespace, so two relays connect
// a process with the containers of a namespace.
//   node relay.ts '[[{"path": "/tmp/https"}, {"host": "198.51.100.1", "port": 443}]]'

import {
  connect,
  createServer,
  type ListenOptions,
  type NetConnectOpts,
  type Server,
} from 'node:net';

export type Relay = readonly [from: ListenOptions, to: NetConnectOpts];

export function startRelay([from, to]: Relay): Server {
  const server = createServer({ allowHalfOpen: true }, (incoming) => {
    const outgoing = connect({ ...to, allowHalfOpen: true });
    incoming.pipe(outgoing).pipe(incoming);
    for (const [one, other] of [
      [incoming, outgoing],
      [outgoing, incoming],
    ] as const) {
      one.once('error', () => other.destroy());
    }
  });
  return server.listen(from);
}

if (import.meta.main) {
  for (const relay of JSON.parse(process.argv[2] ?? '[]') as Relay[]) startRelay(relay);
}
