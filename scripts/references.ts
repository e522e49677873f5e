// Writes the generated references: parts of docs/reference, .env.example, and other files that repeat what the code says.
//   node scripts/references.ts      writes the files; a test fails when a committed file differs from the code
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createApiParts, openApiPath, toOpenApiText } from './references/api.ts';
import {
  createEnvironmentParts,
  createSettingsParts,
  createSettingsSchema,
  schemaPath,
  toEnvironmentExample,
} from './references/configuration.ts';
import {
  createProblemCodeParts,
  createSandboxParts,
  createTextParts,
} from './references/developers.ts';
import { fillParts, formatJson, type Parts } from './references/markdown.ts';
import {
  createAlertParts,
  createCommandParts,
  createLogEventParts,
  createMetricParts,
} from './references/operators.ts';
import { root } from './project.mjs';

export interface Reference {
  /** From the root of the repository. */
  readonly path: string;
  readonly toText: () => string | Promise<string>;
}

export const references: readonly Reference[] = [
  { path: '.env.example', toText: toEnvironmentExample },
  { path: schemaPath, toText: () => formatJson(createSettingsSchema()) },
  { path: openApiPath, toText: toOpenApiText },
  toPage('environment', createEnvironmentParts),
  toPage('settings', createSettingsParts),
  toPage('api', createApiParts),
  toPage('commands', createCommandParts),
  toPage('problem-codes', createProblemCodeParts),
  toPage('log-events', createLogEventParts),
  toPage('sandbox', createSandboxParts),
  toPage('texts', createTextParts),
  toPage('metrics', createMetricParts),
  toPage('alerts', createAlertParts),
];

function toPage(name: string, createParts: () => Parts | Promise<Parts>): Reference {
  const path = `docs/reference/${name}.md`;
  const toText = async () => fillParts(readFileSync(join(root, path), 'utf8'), await createParts());
  return { path, toText };
}

if (import.meta.main) {
  for (const { path, toText } of references) writeFileSync(join(root, path), await toText());
}
