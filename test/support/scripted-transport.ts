// A transport that returns scripted responses and records the requests.

import type {
  TransportResponse,
  TransportRequest,
  TransportResult,
} from '../../bff/funding-service/transport.ts';

/** Returns the results in order, then repeats the last one. */
export function createScriptedTransport(...results: readonly TransportResult[]) {
  const requests: TransportRequest[] = [];
  return {
    requests: requests as readonly TransportRequest[],
    transport: (request: TransportRequest): Promise<TransportResult> => {
      requests.push(request);
      const result = results[Math.min(requests.length, results.length) - 1];
      if (!result) throw new Error('Pass at least one result');
      return Promise.resolve(result);
    },
  };
}

/** An object is sent as JSON, a string unchanged. Header names are lowercase. */
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
