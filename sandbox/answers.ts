// Answers as HTTP responses: success, a row of the error table in the operation's own shape, and what stands in front of it.

import type { SandboxContext } from './context.ts';
import { errorRows, toErrorText, toOperationId, type ErrorRow } from './errors.ts';
import type { Answer, Refused } from './operation.ts';

export function toResponse(answer: Answer, context: SandboxContext): Response {
  if (answer.kind === 'done') return Response.json(answer.body);
  if (answer.kind === 'broken') return toHtmlResponse(answer.status);
  const isToken = toOperationId(answer.row) === 'token';
  const isHttpStyle = isToken || context.settings.failureStatus === 'http';
  const status = isHttpStyle ? errorRows[answer.row].httpStatus : 200;
  return Response.json(toRefusalBody(answer), { status });
}

/** Every documented field of the operation's answer, null where a failure has no value for it. */
function toRefusalBody(refused: Refused): Record<string, unknown> {
  const row: ErrorRow = errorRows[refused.row];
  const text = toErrorText(refused.row, refused.subject);
  const referenceId = refused.referenceId ?? null;
  switch (toOperationId(refused.row)) {
    case 'token':
      return { error: row.oauthError, error_description: text };
    case 'create-lead':
      return {
        IsSuccessful: false,
        ResponseText: text,
        ApplicationID: null,
        ReferenceID: referenceId,
        pURL: null,
      };
    case 'pre-approval-offer':
      return {
        IsSuccessful: false,
        ResponseText: text,
        ReferenceID: referenceId,
        pURL: null,
        PreApproval_Data: null,
      };
    case 'contact-user':
      return { IsSuccessful: false, ResponseText: text };
    case 'asset-report':
      return { success: false, message: text, assetReportId: null };
    case 'upload-file':
      return {
        IsSuccessful: false,
        ResponseMessage: text,
        DocumentId: null,
        ReferenceID: referenceId,
      };
  }
}

/** A failure of the platform itself, which answers a list before any operation is reached. */
export function toPlatformResponse(status: number, errorCode: string, message: string): Response {
  return Response.json([{ message, errorCode }], { status });
}

export function toHtmlResponse(status: number, headers: Record<string, string> = {}): Response {
  // These statuses carry no body (RFC 9110 section 15).
  if (status === 204 || status === 205 || status === 304) return new Response(null, { status });
  return new Response(
    `<!doctype html><html lang="en"><title>${status}</title><h1>${status}</h1><p>The service is not available.</p></html>`,
    { status, headers: { 'Content-Type': 'text/html; charset=utf-8', ...headers } },
  );
}
