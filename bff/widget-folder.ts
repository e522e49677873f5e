// Where the built widget lies, and whether it can be served from there: without it every page that asks for it gets a 404.

import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as z from 'zod/mini';
import project from '../package.json' with { type: 'json' };
import type { Reader, VariableSource } from './config-reader.ts';
import { toJson } from './json.ts';

/** What the build writes beside the widget's files. */
export const widgetManifestSchema = z.object({
  /** The release, and from 0.1.0 on a mark of its bytes, as in `0.1.0-1f3870be`. */
  version: z.string().check(z.regex(/^[\w.+-]{1,40}$/)),
  /** Name of the file that pages load. */
  entry: z.string(),
  /** Of every file, the entry among them. */
  files: z.array(z.object({ file: z.string(), integrity: z.string() })),
});

export type WidgetManifest = z.infer<typeof widgetManifestSchema>;

/** `undefined` for what the build would not write, or has not written to its end. */
export function toWidgetManifest(text: string): WidgetManifest | undefined {
  return widgetManifestSchema.safeParse(toJson(text)).data;
}

export interface WidgetFolder {
  /** In it, named by their version, may be folders of others that are kept. */
  readonly directory: string;
  readonly version: string;
}

/** Where it lies unless WIDGET_FOLDER says otherwise: beside the bundle in a release, the build's output in a clone. */
export function findBuiltWidget(): string {
  const place = import.meta.url.endsWith('.ts') ? '../dist/widget' : '../widget';
  return fileURLToPath(new URL(place, import.meta.url));
}

/**
 * `undefined` where WIDGET_FOLDER is `none`, since something else serves it; also, with a problem, where it cannot be served.
 *
 * @param usual where it lies when nothing is said.
 */
export function readWidgetFolder(
  reader: Reader,
  { readFile }: Pick<VariableSource, 'readFile'>,
  usual: string,
): WidgetFolder | undefined {
  const named = reader.optional('WIDGET_FOLDER');
  if (named === 'none') return undefined;
  const directory = named ?? usual;
  const manifest = readManifest(directory, readFile);
  if (!manifest) {
    const what =
      named === undefined
        ? 'is not set, and the widget is not built'
        : 'names a folder that holds no built widget';
    reader.problem('WIDGET_FOLDER', what, mend);
    return undefined;
  }
  const { version } = manifest;
  if (version !== project.version && !version.startsWith(`${project.version}-`)) {
    const both = 'Copy dist/widget and dist/bff from one build.';
    reader.problem('WIDGET_FOLDER', 'leads to the widget of another release', both);
    return undefined;
  }
  return { directory, version };
}

const mend =
  'Run npm run build; a release needs dist/widget beside dist/bff. Set it to none where something else serves the widget.';

/** `undefined` unless the file that pages load is there as well. */
function readManifest(
  directory: string,
  readFile: VariableSource['readFile'],
): WidgetManifest | undefined {
  try {
    const manifest = toWidgetManifest(readFile(join(directory, 'manifest.json')));
    if (manifest) readFile(join(directory, manifest.entry));
    return manifest;
  } catch {
    // Whatever keeps it from being read keeps it from being served.
    return undefined;
  }
}
