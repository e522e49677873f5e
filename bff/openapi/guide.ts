// The guide in front of the OpenAPI document: requests, sessions, the flow of an application, problems.

export const guide = `The API between the element \`<funding-application>\` and its backend (BFF). Any other client can use it too.

## Every request

- Send \`X-Funding-Request: 1\`.
- Send \`Origin\`: an origin that the operator lists, or the address of this server (\`servers\`). Browsers send it themselves.
- Send JSON as UTF-8 with \`Content-Type: application/json\`, and a document with \`Content-Type: application/octet-stream\`.
- If a client sends Fetch Metadata headers (\`Sec-Fetch-Site\`, \`Sec-Fetch-Mode\`), they must agree with its origin.

## Session

\`POST /v1/session\` begins a session. It travels in one of two ways:

- In a cookie: keep the cookie of \`Set-Cookie\`, and send its name and value in \`Cookie\` with every further request. An answer may renew
  the cookie or remove it (\`Max-Age=0\`). Send the same \`Origin\` for the whole session.
- As a session token, for clients without cookies: send \`{"transport": "handle"}\`, read \`handle\` from the answer, and send
  \`Authorization: Funding <token>\` with every further request. An answer with the header \`X-Funding-Session\` renews the token.

Never send a cookie and a token of two sessions.

## Flow

1. \`GET /v1/configuration\`: read the choices, the consents with their versions, the required fields and the limits.
2. \`POST /v1/session\`: begin a session.
3. \`POST /v1/application\` with an \`Idempotency-Key\`: submit the application with values and consents of the configuration. \`201\` means that
   the funding service accepted it, \`202\` that it is stored and on its way.
4. \`GET /v1/application\`: after a \`202\`, ask every few seconds until the status is \`accepted\` or \`rejected\`.
5. \`POST /v1/documents\`: upload documents, one a request. \`GET /v1/documents\` lists them with their status. Documents may be uploaded before
   the application is accepted.
6. \`POST /v1/asset-report\`: submit a report of the aggregation provider, if there is one.
7. \`GET /v1/offers\`: once the application is accepted, ask every few seconds while the decision is \`pending\`.
8. \`POST /v1/contact\`: if the applicant wants to be contacted after all, send the contact consent.
9. \`DELETE /v1/session\`: end the session.

\`GET /v1/session\` returns everything that was submitted, for example after a restart of the client.

## Problems

A failed request is answered with problem details (RFC 9457) and a \`code\` of a closed list. The answer never repeats a submitted value.
Wait for the seconds of \`Retry-After\` before the next attempt. After a lost answer, and after \`storage-unavailable\`, send the same request
again: the application's \`Idempotency-Key\`, and the content of a document or report, keep it from being stored twice.

A path without an operation is answered with \`404\` (\`not-found\`), or with \`401\` to a request without a session. A method that a path does
not accept is answered with \`405\` (\`method-not-allowed\`) and the accepted methods in \`Allow\`. See \`components.responses\`.

The HTTP server refuses some requests before they reach the API, without problem details: \`400\` (malformed), \`408\` (the headers
take over 10 seconds) and \`431\` (the headers exceed 16 KiB).

Ignore members of an answer that you do not know: later versions may add some. CORS headers are for browsers and are not listed here.`;
