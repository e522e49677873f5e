// All that a process needs to serve: its configuration, the built widget, the partner's hooks; what is wrong is told in one go.

import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { readConfig, type Config } from './config.ts';
import { createReader, type VariableSource } from './config-reader.ts';
import { readHooks, type Hooks, type ImportModule } from './hooks.ts';
import { readWidgetFolder, type WidgetFolder } from './widget-folder.ts';

export interface ServingSource extends VariableSource {
  /** Where the widget lies unless WIDGET_FOLDER says otherwise. */
  readonly builtWidget: string;
  readonly importModule: ImportModule;
}

export interface ServingParts {
  readonly config: Config;
  /** `undefined` where something else serves it. */
  readonly widget: WidgetFolder | undefined;
  readonly hooks: Hooks;
}

export async function readServingParts(
  source: ServingSource,
): Promise<ServingParts | { readonly problems: readonly string[] }> {
  const read = readConfig(source);
  const reader = createReader(source, {});
  const widget = readWidgetFolder(reader, source.builtWidget);
  const hooks = await readHooks(reader, source.importModule);
  const problems = [...('problems' in read ? read.problems : []), ...reader.problems()];
  return 'config' in read && problems.length === 0
    ? { config: read.config, widget, hooks }
    : { problems };
}

/** A path as the operator writes it, from the working folder; Node 24 takes TypeScript as well. */
export const importFromDisk: ImportModule = (path) =>
  import(/* @vite-ignore */ pathToFileURL(resolve(path)).href);
