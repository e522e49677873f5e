// Reads bytes from every place where a reader may begin, each up to the next place that somebody else begins at.

import type { ObjectSource, PdfObjects } from './pdf-objects.ts';
import { PdfTokens } from './pdf-tokens.ts';
import type { InspectionDetail } from './verdict.ts';

/** Each byte is read once, and once more for each place that stands within something that is open; beyond this, bytes are made to cost time. */
const maxReadings = 4;
const spareReadings = 65_536;

export interface RunPlaces {
  /** In ascending order. */
  readonly positions: readonly number[];
  /** Where reading begins for the place at that index. */
  getContent(index: number): number;
}

/** @param createSource for the place at that index; whether a token is elsewhere is answered here */
export function readRuns(
  bytes: Buffer,
  places: RunPlaces,
  objects: PdfObjects,
  createSource: (index: number) => Omit<ObjectSource, 'isElsewhere'>,
): InspectionDetail | undefined {
  const { positions } = places;
  const tokens = new PdfTokens(bytes);
  let read = 0;
  for (let index = 0; index < positions.length; index += 1) {
    const content = places.getContent(index);
    let next = index + 1;
    const isElsewhere = (start: number, end: number): boolean => {
      while ((positions[next] ?? end) < start) next += 1;
      return (positions[next] ?? end) < end;
    };
    tokens.position = content;
    const detail = objects.read(tokens, { ...createSource(index), isElsewhere });
    if (detail) return detail;
    read += tokens.position - content;
    if (read > maxReadings * bytes.length + spareReadings) return 'pdf-too-much-text';
  }
  return undefined;
}
