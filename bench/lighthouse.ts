// Measures Lighthouse's accessibility and best-practices scores of the partner example and the theme examples.

import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as z from 'zod/mini';
import { chromiumFlags, readTestTools } from '../scripts/test-tools.mjs';
import { startStack } from '../test/support/stack.ts';

/** Downloaded for the run, because it is larger than all dependencies of the project. */
const lighthouse = 'lighthouse@13.5.0';
const pages = ['/funding', '/themes/ledger', '/themes/meadow', '/themes/night'] as const;
const devices = ['mobile', 'desktop'] as const;

const reportSchema = z.object({
  categories: z.record(z.string(), z.object({ title: z.string(), score: z.nullable(z.number()) })),
  audits: z.record(
    z.string(),
    z.object({ title: z.string(), score: z.nullable(z.number()), scoreDisplayMode: z.string() }),
  ),
});

export interface PageScore {
  readonly page: string;
  readonly device: (typeof devices)[number];
  /** By title, 0 to 100. */
  readonly scores: Readonly<Record<string, number>>;
  /** Titles of the failed audits. */
  readonly failed: readonly string[];
}

/** Requires a build (`npm run build`) and network access to the package registry. */
export async function scorePages(): Promise<readonly PageScore[]> {
  const stack = await startStack();
  const scores: PageScore[] = [];
  try {
    for (const page of pages) {
      for (const device of devices) scores.push(await scorePage(stack.pageUrl, page, device));
    }
  } finally {
    await stack.stop();
  }
  return scores;
}

export function describeScore({ page, device, scores, failed }: PageScore): string {
  const figures = Object.entries(scores).map(([title, score]) => `${title} ${score}`);
  return [
    `${page} (${device}): ${figures.join(', ')}`,
    ...failed.map((title) => `  ${title}`),
  ].join('\n');
}

/** Every score below 100 fails. */
export function isScorePastLimit({ scores }: PageScore): boolean {
  return Object.values(scores).some((score) => score < 100);
}

async function scorePage(
  origin: string,
  page: string,
  device: (typeof devices)[number],
): Promise<PageScore> {
  const folder = await mkdtemp(join(tmpdir(), 'funding-application-lighthouse-'));
  const file = join(folder, 'report.json');
  const chromium = readTestTools().chromium?.executable;
  if (!chromium) throw new Error('Chromium is missing. Run node scripts/setup.mjs --tests.');
  try {
    await promisify(execFile)(
      'npm',
      [
        'exec',
        '--yes',
        `--package=${lighthouse}`,
        '--',
        'lighthouse',
        origin + page,
        '--quiet',
        '--output=json',
        `--output-path=${file}`,
        '--only-categories=accessibility,best-practices',
        ...(device === 'desktop' ? ['--preset=desktop'] : []),
        `--chrome-flags=--headless=new ${chromiumFlags.join(' ')}`,
      ],
      { env: { ...process.env, CHROME_PATH: chromium } },
    );
    const { categories, audits } = reportSchema.parse(JSON.parse(await readFile(file, 'utf8')));
    return {
      page,
      device,
      scores: Object.fromEntries(
        Object.values(categories).map(({ title, score }) => [
          title,
          Math.round((score ?? 0) * 100),
        ]),
      ),
      failed: Object.values(audits)
        .filter(({ score, scoreDisplayMode }) => scoreDisplayMode === 'binary' && score === 0)
        .map(({ title }) => title),
    };
  } finally {
    await rm(folder, { recursive: true });
  }
}
