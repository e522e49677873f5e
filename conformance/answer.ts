// One answer of the funding service: its form, its message, and the treatment that the BFF would give it.

import type { LeadCreated, Outcome } from '../bff/funding-service/funding-service.ts';
import {
  classifyResponse,
  isHtml,
  parseAssetReport,
  parseContactEnabled,
  parseJson,
  parseLeadCreated,
  parsePreApproval,
  parseUploaded,
  readBoolean,
  readObject,
  readText,
} from '../bff/funding-service/responses.ts';
import type { TextPatterns } from '../bff/funding-service/failure-texts.ts';
import type { TransportResponse } from '../bff/funding-service/transport.ts';
import type { PartnerOperation } from '../shared/funding-service/operations.ts';

type JsonObject = Readonly<Record<string, unknown>>;

export interface Answer {
  readonly operation: PartnerOperation;
  readonly response: TransportResponse;
  /** `list`: the platform's `[{errorCode, message}]`. */
  readonly form: 'object' | 'list' | 'html' | 'text' | 'empty';
  /** The body, or the first entry of a list. Empty for other forms. */
  readonly body: JsonObject;
  /** `IsSuccessful` or `success`. */
  readonly flag: boolean | undefined;
  /** The text of the failure in any field that a service uses for it. Spaces are collapsed. */
  readonly message: string;
  /** The BFF’s conclusion with the current settings. */
  readonly outcome: Outcome<unknown>;
  /** Values that were sent, for patterns that must not contain them, by the name of their field. */
  readonly sent: ReadonlyMap<string, string>;
}

/** The fields of the response body as the specification lists them. */
export const responseShapes: Readonly<
  Record<PartnerOperation, { flag: string; message: string; fields: readonly string[] }>
> = {
  'create-lead': {
    flag: 'IsSuccessful',
    message: 'ResponseText',
    fields: ['IsSuccessful', 'ResponseText', 'ApplicationID', 'ReferenceID', 'pURL'],
  },
  'pre-approval-offer': {
    flag: 'IsSuccessful',
    message: 'ResponseText',
    fields: ['IsSuccessful', 'ResponseText', 'ReferenceID', 'pURL', 'PreApproval_Data'],
  },
  'contact-user': {
    flag: 'IsSuccessful',
    message: 'ResponseText',
    fields: ['IsSuccessful', 'ResponseText'],
  },
  'asset-report': {
    flag: 'success',
    message: 'message',
    fields: ['success', 'message', 'assetReportId'],
  },
  'upload-file': {
    flag: 'IsSuccessful',
    message: 'ResponseMessage',
    fields: ['IsSuccessful', 'ResponseMessage', 'DocumentId', 'ReferenceID'],
  },
};

export interface AnswerContext {
  readonly operation: PartnerOperation;
  readonly patterns: TextPatterns;
  readonly now: number;
  readonly sent: ReadonlyMap<string, string>;
}

export function readAnswer(response: TransportResponse, context: AnswerContext): Answer {
  const { operation, sent } = context;
  const json = parseJson(response.text);
  const form = toForm(response, json);
  const body = readObject(Array.isArray(json) ? json[0] : json) ?? {};
  const message = readText(
    body['ResponseText'] ?? body['ResponseMessage'] ?? body['message'] ?? body['error_description'],
  );
  return {
    operation,
    response,
    form,
    body,
    flag: form === 'object' ? readBoolean(body['IsSuccessful'] ?? body['success']) : undefined,
    message: (message ?? (form === 'object' ? '' : toPlainText(response.text)))
      .replaceAll(/\s+/g, ' ')
      .trim(),
    outcome: classify(response, context),
    sent,
  };
}

/** Repeats the classification, for example with other patterns. */
export function classify(response: TransportResponse, context: AnswerContext): Outcome<unknown> {
  const { operation, sent } = context;
  switch (operation) {
    case 'create-lead':
      return classifyResponse<LeadCreated>(
        response,
        context,
        parseLeadCreated(sent.get('ID') ?? ''),
      );
    case 'pre-approval-offer':
      return classifyResponse(response, context, parsePreApproval);
    case 'contact-user':
      return classifyResponse(response, context, parseContactEnabled);
    case 'asset-report':
      return classifyResponse(response, context, parseAssetReport);
    case 'upload-file':
      return classifyResponse(response, context, parseUploaded(sent.get('leadId') ?? ''));
  }
}

/** True if the answer proves success, or at least claims it. */
export function isAccepted({ outcome, flag, response }: Answer): boolean {
  const isSuccess = response.status >= 200 && response.status < 300;
  return outcome.kind === 'accepted' || (isSuccess && flag === true);
}

/** For example `HTTP 400, IsSuccessful false, “Missing required field: Company”`. Contains no secrets if `mask` removes them. */
export function describeAnswer(answer: Answer, mask: (text: string) => string): string {
  const { response, form, body, flag, operation } = answer;
  const { flag: flagName } = responseShapes[operation];
  const name = flagName in body ? flagName : 'IsSuccessful' in body ? 'IsSuccessful' : 'success';
  const code = readText(body['errorCode']);
  const parts = [
    `HTTP ${response.status}`,
    form === 'object' && (flag === undefined ? 'no flag of success' : `${name} ${flag}`),
    form === 'list' && 'a list',
    form === 'html' && 'an HTML page',
    form === 'text' && 'plain text',
    form === 'empty' && 'no content',
    code !== undefined && `errorCode ${shorten(mask(code), 60)}`,
    answer.message !== '' && `“${shorten(mask(nameValues(answer)), 300)}”`,
  ];
  return parts.filter((part) => part !== false).join(', ');
}

/** The message, in which `<Company>` stands for a value that was sent. */
export function nameValues({ message, sent }: Pick<Answer, 'message' | 'sent'>): string {
  let named = message;
  const values = [...sent].filter(([, value]) => value.length >= 4);
  for (const [name, value] of values.toSorted((a, b) => b[1].length - a[1].length)) {
    named = named.replaceAll(value, `<${name}>`);
  }
  return named;
}

export function shorten(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1)}…`;
}

/** The values of a JSON body by the name of their field. Long ones, such as the content of a file, are not repeated by anyone. */
export function listValues(value: unknown, name = ''): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  const visit = (member: unknown, key: string): void => {
    if (typeof member === 'object' && member !== null) {
      for (const [inner, next] of Object.entries(member)) visit(next, inner);
    } else if ((typeof member === 'string' || typeof member === 'number') && !values.has(key)) {
      const text = String(member);
      if (text.length <= 1_000) values.set(key, text);
    }
  };
  visit(value, name);
  return values;
}

function toForm(response: TransportResponse, json: unknown): Answer['form'] {
  if (Array.isArray(json)) return 'list';
  if (readObject(json)) return 'object';
  if (response.text.trim() === '') return 'empty';
  return isHtml(response) ? 'html' : 'text';
}

/** The beginning of a page or a text, without tags, styles, and scripts. */
function toPlainText(text: string): string {
  return text
    .slice(0, 20_000)
    .replaceAll(/<(style|script)\b[^>]*>[^<]*<\/\1>/gi, ' ')
    .replaceAll(/<[^<>]*>/g, ' ')
    .slice(0, 500);
}
