// Advice for developers about each problem. Only the generated reference reads these texts, so the BFF does not load them.

import type { ProblemCode } from './problem-codes.ts';

/** Markdown, with links from docs/reference. */
export const problemAdvice = {
  'origin-refused':
    'Add the exact origin of the page to `ALLOWED_ORIGINS` (same site as the BFF) or `CROSS_SITE_ORIGINS` (another site), and restart the BFF. `doctor --origin <origin>` tells which.',
  'header-missing':
    'Send `X-Funding-Request: 1` with every request. The element does. If it shows this, a proxy removes the header.',
  'not-found': 'Check the path, and that the element and the BFF have the same version.',
  'method-not-allowed':
    'Use a method of the header `Allow`, and check that the element and the BFF have the same version.',
  'unsupported-media-type':
    'Send the content type that the route accepts: JSON, or `application/octet-stream` for a document.',
  'too-large':
    'Send less. A proxy in front of the BFF does not cause this code: its own limit gives an answer without a code.',
  'invalid-request':
    'Correct the fields in `errors`. Each has a JSON Pointer and a code. The element shows them next to the fields.',
  'session-missing':
    'Start a session with `POST /v1/session`, and send its cookie or token with every request. If applicants lose their sessions, run `doctor`: it tests the cookies of each origin.',
  'too-many-requests':
    'Wait as long as `Retry-After` says. If many applicants are affected, see [Rate limits](../security/limits.md).',
  'too-busy':
    'Wait as long as `Retry-After` says. The element does. If it lasts, see [Plan the capacity](../operate/capacity.md).',
  'too-soon':
    'In a test that fills in the form by program, wait `limits.minimumFillSeconds` after the start of the session.',
  'automation-suspected':
    'Do not send the header `X-Funding-Honeypot`. In a test that fills in every field, leave out the hidden one.',
  'challenge-required':
    'Solve the challenge of the configuration, and send its token. Each token works once.',
  'challenge-unavailable':
    'Wait as long as `Retry-After` says. The operator finds the reason in the log event [`challenge-failed`](log-events.md#challenge-failed).',
  'idempotency-key-missing':
    'Create a UUID for each application, and send it with each attempt to submit that application.',
  'idempotency-key-reused': 'Create a new UUID when the answers change.',
  'application-exists':
    'Read the application with `GET /v1/application`. To apply again, end the session first.',
  'application-missing':
    'Submit an application first. After a submission, the application was erased, or the session was ended in another tab.',
  'application-pending': 'Wait until `GET /v1/application` reports `accepted`.',
  'application-rejected':
    'Read the refused fields with `GET /v1/application`. The applicant corrects them, and submits again with a new key.',
  'consent-required':
    'Load the configuration again, and send the id and the version of each consent that the applicant accepted.',
  'document-name-invalid':
    'Send the file name in `X-Document-Name`, percent-encoded, with its extension.',
  'document-category-invalid': 'Send an id of `documents.categories` in the configuration.',
  'document-length-required':
    'Send the body with a `Content-Length`. A proxy that sends it in chunks must buffer it first.',
  'document-empty': 'Nothing. The applicant chooses another file.',
  'document-too-large':
    'Compare the size with `documents.maxBytes` in the configuration before the upload.',
  'document-incomplete':
    'Send the document again. If it repeats, a proxy ends the upload: check its limits of size and time.',
  'document-type-refused':
    'Offer only the extensions that the configuration lists. The setting `documents.extensions` can allow more.',
  'document-type-mismatch': 'Nothing. The applicant saves the file again.',
  'document-damaged': 'Nothing. The applicant downloads the file again.',
  'document-picture-damaged': 'Nothing. The applicant takes a new photo.',
  'document-password': 'Nothing. The applicant saves a copy without a password.',
  'document-attachments': 'Nothing. The applicant prints the file to a new PDF.',
  'document-active-content': 'Nothing. The applicant prints the file to a new PDF.',
  'document-media': 'Nothing. The applicant prints the file to a new PDF.',
  'document-scripts':
    'Nothing, or set `documents.scripts` to `accept`. Only the [strict mode](../security/documents.md#strict-mode) refuses scripts.',
  'document-unsafe': 'Nothing. The applicant prints the file to a new PDF.',
  'document-not-checked':
    'If honest files cause it, give the inspection more time or memory: see [Documents are refused or wait](../troubleshoot.md#documents-are-refused-or-wait).',
  'document-too-many-pixels': 'Nothing. The applicant saves the picture in a smaller size.',
  'document-infected': 'Nothing. The applicant chooses another copy.',
  'document-limit-reached':
    'Compare the number with `documents.maxFiles` in the configuration. The setting of this name can raise it.',
  'document-space-exhausted':
    'Compare the size with `documents.maxTotalBytes` in the configuration. The setting of this name can raise it.',
  'document-rejected': 'Nothing. The applicant chooses another category, or sends another copy.',
  'document-missing': 'Read the list of documents again.',
  'document-sent': 'Offer a change only while the document has `changeable`.',
  'asset-report-invalid': 'Send the report of the aggregator as it is.',
  'asset-report-rejected':
    'The operator finds the reason in the log event [`delivery-rejected`](log-events.md#delivery-rejected).',
  'handoff-not-found': 'Nothing. The applicant compares the code, or gets a new one.',
  'handoff-expired': 'Create another handoff.',
  'handoff-claimed': 'Create another handoff. A second phone cannot use a code.',
  'handoff-revoked': 'Create another handoff.',
  'handoff-wrong-number': 'Create another handoff.',
  'handoff-declined':
    'Nothing. If there are many, see the log event [`handoff-suspicious`](log-events.md#handoff-suspicious).',
  'handoff-ended': 'Create another handoff.',
  'forbidden-scope':
    'Use the session of the desktop. A phone can only send documents, and only after it has picked the number.',
  'service-refused':
    'The operator finds the reason in the log event [`call-ended`](log-events.md#call-ended).',
  'service-unavailable': 'Try again later. The element does. The operator runs `status`.',
  'storage-unavailable':
    'Wait as long as `Retry-After` says. If it lasts, the operator follows [FundingStoreNotReady](../operate/alarms.md#fundingstorenotready).',
  'inspection-unavailable':
    'Wait as long as `Retry-After` says. The element does. If it lasts, see the log event [`inspection-unavailable`](log-events.md#inspection-unavailable).',
  internal:
    'Give the `requestId` to the operator, who finds the log event [`request-failed`](log-events.md#request-failed) with it.',
} as const satisfies Readonly<Record<ProblemCode, string>>;
