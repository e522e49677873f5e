// The modules of undici that the BFF imports. Its index also loads a second `fetch`, WebSockets, caches, and mocks: 0.6 MB, which the
// start of each process would parse.

declare module 'undici/lib/core/connect.js' {
  export { buildConnector as default } from 'undici';
}

declare module 'undici/lib/dispatcher/agent.js' {
  export { Agent as default } from 'undici';
}

declare module 'undici/lib/dispatcher/client.js' {
  export { Client as default } from 'undici';
}
