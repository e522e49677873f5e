// A second opinion on what a document is, by a detector that knows some two hundred types and looks at each with other eyes.

import { fileTypeFromBuffer } from 'file-type';
import type { InspectionDetail } from './verdict.ts';

/** Its names for what we call otherwise: a picture that moves, and a page of a drawing program. */
const otherNames: Readonly<Record<string, string>> = { apng: 'png', ai: 'pdf' };
/** Their marks are two letters with which a text may begin, as "BMO" and "MZ Bakery" do. */
const shortMarks = new Set(['bmp', 'exe']);
const textTypes = new Set(['txt', 'csv']);

/** @param type what the document passes for, by our own inspection */
export async function askSecondOpinion(
  bytes: Buffer,
  type: string,
): Promise<InspectionDetail | undefined> {
  const detected = await detect(bytes);
  if (textTypes.has(type)) {
    return detected === undefined || shortMarks.has(detected) ? undefined : 'content-differs';
  }
  return detected !== undefined && (otherNames[detected] ?? detected) === type
    ? undefined
    : 'content-differs';
}

async function detect(bytes: Buffer): Promise<string | undefined> {
  try {
    return (await fileTypeFromBuffer(bytes))?.ext;
  } catch {
    // The detector does not promise to survive hostile bytes (its README, "Security"); what it cannot read is not what it claims.
    return 'unreadable';
  }
}
