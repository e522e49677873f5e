// docs/performance.md: text by hand, and sections between markers, which `npm run bench -- --write` replaces.

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import type { Rows } from './report.ts';

export const pageFile = join(import.meta.dirname, '../docs/performance.md');

/** Replaces the section of a part with the figures of this run. */
export async function writeSection(part: string, content: string): Promise<void> {
  const page = replaceSection(await readFile(pageFile, 'utf8'), part, content);
  const options = await resolveConfig(pageFile);
  await writeFile(pageFile, await format(page, { ...options, filepath: pageFile }));
}

/** Throws if the page has no markers of the part. */
export function readSection(page: string, part: string): string {
  const { from, until } = findSection(page, part);
  return page.slice(from, until);
}

export function replaceSection(page: string, part: string, content: string): string {
  const { from, until } = findSection(page, part);
  return `${page.slice(0, from)}\n\n${content}\n\n${page.slice(until)}`;
}

function findSection(page: string, part: string) {
  const begin = `<!-- begin ${part}: written by "npm run bench -- ${part} --write" -->`;
  const from = page.indexOf(begin) + begin.length;
  const until = page.indexOf(`<!-- end ${part} -->`, from);
  if (from < begin.length || until < 0) {
    throw new Error(`${pageFile} has no markers of the part ${part}.`);
  }
  return { from, until };
}

/** A table of Markdown. */
export function toMarkdown([titles = [], ...rows]: Rows): string {
  const toLine = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [toLine(titles), toLine(titles.map(() => '---')), ...rows.map(toLine)].join('\n');
}

export function toList(lines: readonly string[]): string {
  return lines.map((line) => `- ${line}`).join('\n');
}

/** @param machine see `describeMachine`. */
export function toMeasuredLine(machine: string, rounds?: number): string {
  const inRounds = rounds === undefined ? '' : ` in ${rounds} rounds`;
  return `Measured on ${new Date().toISOString().slice(0, 10)}${inRounds}: ${machine}.`;
}
