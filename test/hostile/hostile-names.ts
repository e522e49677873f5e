// Uploads a valid file under every hostile name, and checks the responses and the names that the funding service receives.

import { apiHeaders } from '../../shared/api/paths.ts';
import type { Answer } from '../support/applicant.ts';
import { startBff, isProblem } from '../support/bff.ts';
import { unlimited } from '../support/unlimited.ts';
import { toBytes } from '../support/files/bytes.ts';
import { findNameFaults, hostileHeaders, hostileNames } from './files/hostile-names.ts';
import { writePdfText } from '../support/files/pdf.ts';

export interface NamesResult {
  readonly names: number;
  readonly refused: number;
  readonly problems: readonly string[];
}

/** The number of files of an application is limited. */
const filesPerApplication = 50;

/** @param step 1 runs all names, 2 every second one, and so on. */
export async function runHostileNames(step = 1): Promise<NamesResult> {
  const headers = listHeaders().filter((_, index) => index % step === 0);
  const problems: string[] = [];
  let refused = 0;
  for (let start = 0; start < headers.length; start += filesPerApplication) {
    const bff = await startBff({
      settings: { documents: { maxFiles: filesPerApplication }, limits: unlimited },
    });
    const browser = bff.openBrowser();
    await browser.apply();
    for (const header of headers.slice(start, start + filesPerApplication)) {
      const content = toBytes(`${writePdfText()}${' '.repeat(headers.indexOf(header))}`);
      const answer = await browser.upload(new Uint8Array(content), 'a', {
        [apiHeaders.documentName]: header,
      });
      const sent = [...bff.sandbox.context.state.documents.values()].at(-1);
      bff.sandbox.context.state.documents.clear();
      if (answer.status >= 400) refused += 1;
      const found = answer.status < 400 ? checkAccepted(answer, sent) : checkRefused(answer, sent);
      problems.push(...found.map((problem) => `${JSON.stringify(header)}: ${problem}`));
    }
    await bff.close();
  }
  return { names: headers.length, refused, problems };
}

interface Sent {
  readonly name: string;
  readonly ext: string;
}

function checkAccepted(answer: Answer, sent: Sent | undefined): string[] {
  if (!sent) return ['accepted, but not sent'];
  const problems = findNameFaults(sent.name);
  if (sent.ext !== 'pdf') problems.push(`sent as .${sent.ext}`);
  const shownName: unknown = answer.json.name;
  if (shownName !== `${sent.name}.${sent.ext}`)
    problems.push('the response contains another name than was sent');
  return problems;
}

function checkRefused(answer: Answer, sent: Sent | undefined): string[] {
  const codes = [
    'document-name-invalid',
    'document-type-refused',
    'document-type-mismatch',
  ] as const;
  const isListed = codes.some((code) => isProblem(answer, code));
  return [
    ...(isListed ? [] : [`refused with ${answer.status}`]),
    ...(sent ? ['refused, but sent'] : []),
  ];
}

/** Encodes the name as the element does. `Buffer` replaces lone surrogates, which the element does not send. */
function toHeader(name: string): string {
  return encodeURIComponent(Buffer.from(name).toString());
}

function listHeaders(): string[] {
  const headers = [
    ...hostileNames.map((name) => toHeader(`${name}.pdf`)),
    ...hostileNames.filter((name) => name.includes('.')).map(toHeader),
    ...hostileHeaders,
  ];
  return [...new Set(headers)];
}
