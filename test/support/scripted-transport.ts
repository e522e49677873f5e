// A transport that answers from a script and keeps what it was asked.

import type {
  Transport,
  TransportResponse,
  TransportRequest,
  TransportResult,
} from '../../bff/funding-service/transport.ts';

export interface ScriptedTransport {
  readonly transport: Transport;
  readonly requests: readonly TransportRequest[];
}

/** Answers in order, the last one again and again. */
export function createScriptedTransport(...results: readonly TransportResult[]): ScriptedTransport {
  const requests: TransportRequest[] = [];
  return {
    requests,
    transport: (request) => {
      requests.push(request);
      const result = results[Math.min(requests.length, results.length) - 1];
      if (!result) throw new Error('The script is empty');
      return Promise.resolve(result);
    },
  };
}

/** An object is sent as JSON, a text as it is. Header names in lower case. */
export function createResponse(
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): TransportResponse {
  const isText = typeof body === 'string';
  return {
    kind: 'response',
    status,
    headers: { 'content-type': isText ? 'text/html' : 'application/json', ...headers },
    text: isText ? body : JSON.stringify(body),
  };
}
