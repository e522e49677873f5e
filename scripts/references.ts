// Writes the generated references: docs/reference, .env.example, and other files that repeat what the code says.
//   node scripts/references.ts      writes the files; a test fails when a committed file differs from the code
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { toAlertsReference } from './references/alerts.ts';
import { openApiPath, toApiReference, toOpenApiText } from './references/api.ts';
import { toCommandsReference } from './references/commands.ts';
import { dashboardPath, toDashboardText } from './references/dashboard.ts';
import { toEnvironmentExample, toEnvironmentReference } from './references/environment.ts';
import { toLogEventsReference } from './references/log-events.ts';
import { toEventsReference } from './references/events.ts';
import { toMetricsReference } from './references/metrics.ts';
import { toProblemCodesReference } from './references/problem-codes.ts';
import { schemaPath, toSettingsReference, toSettingsSchemaText } from './references/settings.ts';
import { toSandboxReference } from './references/sandbox.ts';
import { toTextsReference } from './references/texts.ts';
import { root } from './project.mjs';

export interface Reference {
  /** From the root of the repository. */
  readonly path: string;
  readonly toText: () => string | Promise<string>;
}

export const references: readonly Reference[] = [
  { path: 'docs/reference/environment.md', toText: toEnvironmentReference },
  { path: '.env.example', toText: toEnvironmentExample },
  { path: schemaPath, toText: toSettingsSchemaText },
  { path: 'docs/reference/settings.md', toText: toSettingsReference },
  { path: openApiPath, toText: toOpenApiText },
  { path: 'docs/reference/api.md', toText: toApiReference },
  { path: 'docs/reference/commands.md', toText: toCommandsReference },
  { path: 'docs/reference/problem-codes.md', toText: toProblemCodesReference },
  { path: 'docs/reference/log-events.md', toText: toLogEventsReference },
  { path: 'docs/reference/sandbox.md', toText: toSandboxReference },
  { path: 'docs/reference/texts.md', toText: toTextsReference },
  { path: 'docs/reference/events.md', toText: toEventsReference },
  { path: 'docs/reference/metrics.md', toText: toMetricsReference },
  { path: 'docs/reference/alerts.md', toText: toAlertsReference },
  { path: dashboardPath, toText: toDashboardText },
];

if (import.meta.main) {
  for (const { path, toText } of references) {
    const file = join(root, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, await toText());
  }
}
