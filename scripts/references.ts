// Writes the generated references: docs/reference, .env.example, and other files that repeat what the code says.
//   node scripts/references.ts      writes the files; a test fails when a committed file differs from the code
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { openApiPath, toApiReference, toOpenApiText } from './references/api.ts';
import {
  createSettingsSchema,
  schemaPath,
  toEnvironmentExample,
  toEnvironmentReference,
  toSettingsReference,
} from './references/configuration.ts';
import { formatJson } from './references/markdown.ts';
import {
  toAlertsReference,
  toCommandsReference,
  toLogEventsReference,
  toMetricsReference,
} from './references/operators.ts';
import {
  toProblemCodesReference,
  toSandboxReference,
  toTextsReference,
} from './references/developers.ts';
import { root } from './project.mjs';

export interface Reference {
  /** From the root of the repository. */
  readonly path: string;
  readonly toText: () => string | Promise<string>;
}

export const references: readonly Reference[] = [
  { path: 'docs/reference/environment.md', toText: toEnvironmentReference },
  { path: '.env.example', toText: toEnvironmentExample },
  { path: schemaPath, toText: () => formatJson(createSettingsSchema()) },
  { path: 'docs/reference/settings.md', toText: toSettingsReference },
  { path: openApiPath, toText: toOpenApiText },
  { path: 'docs/reference/api.md', toText: toApiReference },
  { path: 'docs/reference/commands.md', toText: toCommandsReference },
  { path: 'docs/reference/problem-codes.md', toText: toProblemCodesReference },
  { path: 'docs/reference/log-events.md', toText: toLogEventsReference },
  { path: 'docs/reference/sandbox.md', toText: toSandboxReference },
  { path: 'docs/reference/texts.md', toText: toTextsReference },
  { path: 'docs/reference/metrics.md', toText: toMetricsReference },
  { path: 'docs/reference/alerts.md', toText: toAlertsReference },
];

if (import.meta.main) {
  for (const { path, toText } of references) {
    const file = join(root, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, await toText());
  }
}
