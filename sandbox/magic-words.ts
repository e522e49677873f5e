// Everything that a person can type or choose to get a certain answer. The console, the control API, and docs/reference/sandbox.md
// show this table, so that they cannot differ.

import { errorRows, isErrorRowId, toOperation, type ErrorRow } from './errors.ts';
import { faultKinds, faultTexts } from './faults.ts';
import { outcomes, outcomeTexts, scenarios, taggableRows } from './scenarios.ts';

export const magicWords = {
  /** Text in square brackets in the business name. */
  tags: scenarios,
  outcomes: outcomes.map((id) => ({ id, ...outcomeTexts[id] })),
  faults: faultKinds.map((kind) => ({ kind, ...faultTexts[kind] })),
  errors: Object.keys(errorRows)
    .filter(isErrorRowId)
    .map((id) => {
      const row: ErrorRow = errorRows[id];
      return { id, operation: toOperation(id), isTag: taggableRows.includes(id), ...row };
    }),
} as const;

export interface ControlRoute {
  readonly method: 'GET' | 'POST';
  /** Below `/_sandbox`. */
  readonly path: string;
  /** An example of the body. */
  readonly body?: string;
  readonly description: string;
}

/** The control API. A test compares it with the routes that exist. */
export const controlRoutes: readonly ControlRoute[] = [
  {
    method: 'GET',
    path: '/leads',
    description:
      'All leads, oldest first, with the fields, the text as received, tags, outcome, and history.',
  },
  { method: 'GET', path: '/leads/:applicationId', description: 'One lead.' },
  {
    method: 'POST',
    path: '/leads/:applicationId/outcome',
    body: '{"outcome": "one-offer"}',
    description: 'Sets the outcome: the answer to the next Get Pre-Approval Offer.',
  },
  {
    method: 'POST',
    path: '/leads/:applicationId/offers',
    body: '{"count": 2, "amounts": [25000, 40000], "delaySeconds": 30}',
    description:
      'Sends offers of your own. `amounts` and `delaySeconds` are optional. Sets the outcome `custom-offers`.',
  },
  {
    method: 'POST',
    path: '/leads/:applicationId/do-not-contact',
    description: 'Marks the lead Do Not Contact.',
  },
  {
    method: 'GET',
    path: '/documents',
    description: 'All documents without their content: name, category, bytes, and SHA-256.',
  },
  {
    method: 'GET',
    path: '/documents/:documentId/content',
    description: 'The content, as a download.',
  },
  {
    method: 'GET',
    path: '/documents/:documentId/preview',
    description:
      'The content of an image, a PDF, or a text, isolated by a Content-Security-Policy. 404 for other types.',
  },
  { method: 'GET', path: '/asset-reports', description: 'All bank reports with their metrics.' },
  {
    method: 'GET',
    path: '/asset-reports/:assetReportId/content',
    description: 'The text of a bank report as received.',
  },
  {
    method: 'GET',
    path: '/calls',
    description: 'The latest 5,000 calls, oldest first, without secrets.',
  },
  {
    method: 'GET',
    path: '/calls/:callId',
    description: 'One call with its answer. The answers of the latest 500 calls are kept.',
  },
  { method: 'GET', path: '/faults', description: 'The pending faults.' },
  {
    method: 'POST',
    path: '/faults',
    body: '{"kind": "status", "operation": "create-lead", "status": 503, "times": 2}',
    description:
      'Adds a fault. `operation` may be `any`. `times` is a number or `always`, and 1 by default.',
  },
  {
    method: 'POST',
    path: '/faults/remove',
    body: '{"index": 0, "kind": "status"}',
    description: 'Removes one pending fault. 409 if a call has used it since.',
  },
  { method: 'POST', path: '/faults/clear', description: 'Removes all pending faults.' },
  { method: 'GET', path: '/clock', description: 'The time of the sandbox.' },
  {
    method: 'POST',
    path: '/clock',
    body: '{"advanceMs": 7200000}',
    description:
      'Moves the clock. `advanceMs` may be negative. `{"now": "2027-01-01T00:00:00Z"}` sets it, and `{"isReset": true}` returns to the time of the machine.',
  },
  { method: 'GET', path: '/seed', description: 'The seed of the offers.' },
  {
    method: 'POST',
    path: '/seed',
    body: '{"seed": 7}',
    description: 'Gives every lead other amounts and prices. 0 is the usual seed.',
  },
  {
    method: 'POST',
    path: '/revoke-tokens',
    description: 'Revokes all access tokens.',
  },
  {
    method: 'POST',
    path: '/reset',
    description:
      'Deletes everything that was received, and sets the clock back. Tokens stay valid.',
  },
  { method: 'GET', path: '/errors', description: 'The table of errors.' },
  { method: 'GET', path: '/scenarios', description: 'The table of scenario tags.' },
];
