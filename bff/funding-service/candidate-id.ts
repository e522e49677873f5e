// What a refused duplicate may tell by the way: an id that could be the ApplicationID of the earlier lead.

import { parseJson, readId, readObject, readText } from './reading.ts';

/** Beyond this a text is no sentence any more. */
const maxTextLength = 2_000;
/** Ids on platforms of this shape: 15 characters, or 18 with their check characters. Without a digit it is a long word. */
const idPattern = /(?<![\w-])(?=[A-Za-z]*\d)(?:[A-Za-z0-9]{15}|[A-Za-z0-9]{18})(?![\w-])/;
const idNamePattern = /^(application|app|lead)_?id$/i;

/**
 * The first that is found in a field of that name, in the tracking address, or in the message. Nothing of the text around it
 * is kept, and only the service itself can say whether it is ours (`proveReference`).
 */
export function findCandidateId(answerText: string): string | undefined {
  const parsed = parseJson(answerText);
  const body = readObject(Array.isArray(parsed) ? parsed[0] : parsed) ?? {};
  return (
    findNamedId(Object.entries(body)) ??
    findInAddress(readText(body['pURL'])) ??
    findInText(readText(body['ResponseText'] ?? body['message']))
  );
}

function findNamedId(entries: Iterable<readonly [string, unknown]>): string | undefined {
  for (const [name, value] of entries) {
    const id = idNamePattern.test(name) ? readId(value) : undefined;
    if (id !== undefined) return id;
  }
  return undefined;
}

function findInAddress(address: string | undefined): string | undefined {
  if (address === undefined || !URL.canParse(address)) return undefined;
  return findNamedId(new URL(address).searchParams) ?? findInText(address);
}

function findInText(text: string | undefined): string | undefined {
  return idPattern.exec(text?.slice(0, maxTextLength) ?? '')?.[0];
}
