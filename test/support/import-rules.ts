// The import rules of the architecture as data, and a function that checks source files.
import { posix } from 'node:path';
import { parseSync } from 'vite';

export type Sources = Readonly<Record<string, string>>;

interface Import {
  /** A path from the project's root, or the name of a package. */
  readonly target: string;
  readonly isOwn: boolean;
  readonly isTypeOnly: boolean;
}

/** Top-level folders that each folder may import. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  'shared/': ['shared/'],
  'widget/': ['widget/', 'shared/application/', 'shared/api/'],
  // package.json contains the name and the version.
  'bff/': ['bff/', 'shared/', 'package.json'],
  'sandbox/': ['sandbox/', 'shared/', 'package.json'],
  'conformance/': ['conformance/', 'bff/', 'shared/', 'sandbox/'],
};

/** The probes state what the specification says. If they read it from the sandbox, they could not prove the sandbox. */
const onlyRehearsal = 'conformance/rehearsal.ts';

/** Folders and entry files of the BFF, lowest layer first. Each may import its own layer and the layers above it in this list. */
const bffLayers = [
  ['bff/runtime/'],
  ['bff/config/', 'bff/logging/'],
  ['bff/store/', 'bff/documents/', 'bff/funding-service/'],
  ['bff/delivery/', 'bff/events/'],
  ['bff/middleware/'],
  ['bff/routes/'],
  ['bff/app.ts'],
  ['bff/bff-log.ts'],
  ['bff/create-bff.ts'],
  ['bff/index.ts'],
  ['bff/server.ts'],
  ['bff/cli/'],
  ['bff/main.ts'],
  // Only the generated references read these texts. The start of the BFF would load them.
  ['bff/bff-log-texts.ts', 'shared/api/problem-advice.ts'],
];
/** Commands use the layers up to the delivery. They never load the app, which takes longer than most of them. */
const notForCommands = [
  'bff/middleware/',
  'bff/routes/',
  'bff/app.ts',
  'bff/create-bff.ts',
  'bff/server.ts',
];

/** Delivers as the server does. It loads the app only when it runs. */
const commandWithApp = 'bff/cli/deliver.ts';

function isForbiddenInBff(file: string, target: string): boolean {
  if (file === commandWithApp && target === 'bff/create-bff.ts') return false;
  if (file.startsWith('bff/cli/') && startsWithAny(target, notForCommands)) return true;
  return isUpward(bffLayers, file, target);
}

/** Folders and entry files of the element, lowest layer first. Each may import its own folder and the layers above it in this list. */
const widgetLayers = [
  ['widget/i18n/', 'widget/styles/', 'widget/api/'],
  ['widget/types.ts'],
  ['widget/fields/'],
  ['widget/app/'],
  [
    'widget/form/',
    'widget/documents/',
    'widget/offers/',
    'widget/bank/',
    'widget/contact/',
    'widget/record/',
    'widget/handoff/',
  ],
  ['widget/chunks/'],
  ['widget/funding-application.ts'],
  ['widget/define.ts', 'widget/index.ts'],
  ['widget/package/'],
];

/** Returns true if a file of a layer imports a later layer, or another folder of its own layer. */
function isUpward(layers: readonly (readonly string[])[], file: string, target: string): boolean {
  const own = layers.findIndex((layer) => startsWithAny(file, layer));
  const layer = layers.findIndex((prefixes) => startsWithAny(target, prefixes));
  if (own === -1 || layer === -1) return false;
  const isSameFolder = layers[own]?.some(
    (folder) => file.startsWith(folder) && target.startsWith(folder),
  );
  return !isSameFolder && layer >= own;
}

/** Modules of `shared/` without schemas. The widget's client loads no others, because it does not validate responses. */
const withoutSchemas = new Set(['shared/api/paths.ts', 'shared/api/problem-codes.ts']);

/** Returns one sentence per violation of the rules. */
export function findBreaches(sources: Sources): readonly string[] {
  const imports = new Map(
    Object.entries(sources).map(([file, source]) => [file, listImports(file, source)]),
  );
  const breaches = [...imports].flatMap(([file, targets]) =>
    targets
      .filter((imported) => isForbidden(file, imported))
      .map(({ target }) => `${file} imports ${target}`),
  );
  return [...breaches, ...findCycles(imports)];
}

function isForbidden(file: string, { target, isOwn, isTypeOnly }: Import): boolean {
  if (file.startsWith('widget/api/') && !isTypeOnly) {
    if (target.startsWith('zod')) return true;
    if (target.startsWith('shared/') && !withoutSchemas.has(target)) return true;
  }
  if (!isOwn) return isForbiddenPackage(file, target);
  const folder = Object.keys(mayImport).find((prefix) => file.startsWith(prefix));
  if (folder && !startsWithAny(target, mayImport[folder] ?? [])) return true;
  if (file.startsWith('conformance/') && target.startsWith('sandbox/')) {
    return file !== onlyRehearsal;
  }
  return isForbiddenInBff(file, target) || isUpward(widgetLayers, file, target);
}

// zod's classic build is three times the size of zod/mini, and the widget bundles all of shared/.
function isForbiddenPackage(file: string, name: string): boolean {
  const isZodMini = name === 'zod/mini';
  if (file.startsWith('shared/')) return !isZodMini;
  if (file.startsWith('widget/'))
    return name.startsWith('node:') || (/^zod(\/|$)/.test(name) && !isZodMini);
  return false;
}

function findCycles(imports: ReadonlyMap<string, readonly Import[]>): readonly string[] {
  const cycles: string[] = [];
  const done = new Set<string>();
  const visit = (file: string, path: readonly string[]): void => {
    if (path.includes(file)) {
      cycles.push(`cycle: ${[...path.slice(path.indexOf(file)), file].join(' → ')}`);
      return;
    }
    if (done.has(file)) return;
    for (const { target, isTypeOnly } of imports.get(file) ?? []) {
      if (!isTypeOnly) visit(target, [...path, file]);
    }
    done.add(file);
  };
  for (const file of imports.keys()) visit(file, []);
  return cycles;
}

function listImports(file: string, source: string): readonly Import[] {
  const { module, errors } = parseSync(file, source);
  if (errors.length > 0) throw new Error(`${file} cannot be parsed: ${errors[0]?.message}`);
  const found = [
    ...module.staticImports.map(({ moduleRequest, entries }) => ({
      name: moduleRequest.value,
      isTypeOnly: entries.length > 0 && entries.every(({ isType }) => isType),
    })),
    ...module.staticExports.flatMap(({ entries }) =>
      entries.map(({ moduleRequest, isType }) => ({
        name: moduleRequest?.value,
        isTypeOnly: isType,
      })),
    ),
    ...module.dynamicImports.map(({ moduleRequest: { start, end } }) => ({
      name: source.slice(start + 1, end - 1),
      isTypeOnly: false,
    })),
  ];
  return found.flatMap(({ name, isTypeOnly }) =>
    name === undefined ? [] : [{ ...resolve(file, name), isTypeOnly }],
  );
}

function resolve(file: string, name: string): Pick<Import, 'target' | 'isOwn'> {
  const isOwn = name.startsWith('.');
  return { target: isOwn ? posix.join(posix.dirname(file), name) : name, isOwn };
}

function startsWithAny(text: string, prefixes: readonly string[]): boolean {
  return prefixes.some((prefix) => text.startsWith(prefix));
}
