// Vite's options and plugins for the element: its chunks, its shortened code, and the folder with its immutable files.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { minifySync, parseSync, Visitor } from 'vite';
import { readJson, root, toJson } from './project.mjs';

/** The chunk that a page loads before it shows the form. */
const firstChunk = 'funding-application';

/**
 * Chunks by name, with the modules that each contains. A chunk also contains the imports of its modules, unless an earlier
 * chunk contains them: modules that always load together are smaller in one chunk. The first chunk is one file, so that one hash
 * covers the first load of a page; by default, the bundler moves code that it shares with lazy chunks into separate files.
 *
 * @type {Readonly<Record<string, readonly [string, ...string[]]>>}
 */
const chunks = {
  [firstChunk]: ['widget/define.ts'],
  form: ['widget/chunks/form.ts'],
  'after-submission': ['widget/chunks/after-submission.ts', 'widget/api/send-file.ts'],
  'phone-page': ['widget/chunks/phone-page.ts'],
};

/**
 * The module of each chunk that `import()` loads, by chunk. All of them are entries of the build, so that their files export what
 * the modules export. Otherwise the bundler creates an object with the exports, by a helper in a file of its own.
 */
export const entries = Object.fromEntries(
  Object.entries(chunks).map(([name, [module]]) => [name, module]),
);

const lazyFileNames = 'chunks/[name]-[hash].js';

/**
 * The bundler's options for the element: as a script of a page, and as an npm package.
 *
 * @param {readonly string[]} [firstFiles] the entries whose files keep their names
 * @param {readonly string[]} [firstModules] the modules of the first chunk
 * @returns {import('vite').Rolldown.RolldownOptions}
 */
export function toRolldownOptions(firstFiles = [firstChunk], firstModules = chunks[firstChunk]) {
  return {
    // The types take longer than the bundle.
    checks: { bundlerTimings: false },
    // An entry also exports the code that it shares with other chunks.
    preserveEntrySignatures: 'allow-extension',
    // Modules of `shared/` only declare. The bundler can't tell that from a schema with checks.
    treeshake: { moduleSideEffects: [{ test: /\/shared\//, sideEffects: false }] },
    output: {
      // By default, library mode minifies in part. `minifyChunks` does all of it.
      minify: false,
      entryFileNames: ({ name }) => (firstFiles.includes(name) ? '[name].js' : lazyFileNames),
      chunkFileNames: lazyFileNames,
      codeSplitting: {
        groups: [
          {
            name: (id, graph) => toChunkName(id, graph, firstModules),
            debugName: 'first and lazy chunks',
          },
        ],
        includeDependenciesRecursively: false,
      },
    },
  };
}

/**
 * Returns the first chunk that a chain of static imports connects to the module. The bundler chooses the chunk of all other modules.
 *
 * @param {string} id
 * @param {{ getModuleInfo(id: string): { importedIds: readonly string[] } | null }} graph
 * @param {readonly string[]} [firstModules]
 */
export function toChunkName(id, graph, firstModules = chunks[firstChunk]) {
  const found = Object.entries({ ...chunks, [firstChunk]: firstModules }).find(([, modules]) => {
    const reached = new Set(modules.map((module) => join(root, module)));
    for (const module of reached)
      for (const imported of graph.getModuleInfo(module)?.importedIds ?? []) reached.add(imported);
    return reached.has(id);
  });
  return found ? found[0] : null;
}

/**
 * The plugins of every build of the element.
 *
 * @param {(code: string) => string | Promise<string>} [shrink] a second minifier, which the release has
 * @returns {import('vite').Plugin[]}
 */
export function widgetPlugins(shrink = (code) => code) {
  return [listOwnKeys(), shortenTemplates(), minifyChunks(shrink)];
}

/**
 * Lets zod run on host pages whose scripts add enumerable members to `Object.prototype`: it lists keys with `for in`, which includes
 * inherited members. It would reject answers for unknown keys, or throw while it creates its schemas.
 * test/widget/hostile-page.browser.test.ts runs the built element on such a page.
 */
function listOwnKeys() {
  return {
    name: 'widget-zod',
    apply: 'build',
    transform: {
      filter: { id: /\/zod\/v4\/core\/\w+\.js$/ },
      handler: (source) => ({
        code: source.replaceAll(
          /\bfor \(const (\w+) in (\w+)\)/g,
          'for (const $1 of Object.keys($2))',
        ),
        map: null,
      }),
    },
  };
}

/** Removes comments and redundant whitespace from templates and style sheets. */
function shortenTemplates() {
  return {
    name: 'widget-templates',
    apply: 'build',
    enforce: 'pre',
    transform: {
      filter: { id: /\/widget\/.*\.ts$/ },
      handler: (source, id) => ({ code: shortenLiterals(source, id), map: null }),
    },
  };
}

const shorten = { html: shortenMarkup, svg: shortenMarkup, css: shortenSheet };

/** @param {string} source @param {string} file name whose extension tells the parser the language. */
export function shortenLiterals(source, file = 'literals.ts') {
  const literals = [];
  const visitor = new Visitor({
    TaggedTemplateExpression({ tag, quasi }) {
      if (tag.type !== 'Identifier' || !Object.hasOwn(shorten, tag.name)) return;
      for (const { start, end, value } of quasi.quasis) {
        // Parsers differ in whether this range includes the delimiters.
        const at = source.indexOf(value.raw, start);
        if (value.raw !== '' && at < end) literals.push({ at, raw: value.raw, tag: tag.name });
      }
    },
  });
  visitor.visit(parseSync(file, source).program);
  let text = source;
  // From the end, so that the positions of the others stay.
  for (const { at, raw, tag } of literals.toSorted((one, other) => other.at - one.at))
    text = text.slice(0, at) + shorten[tag](raw) + text.slice(at + raw.length);
  return text;
}

/**
 * Collapses whitespace, which HTML renders as one space. Templates must not contain elements that keep whitespace: `pre` and
 * `textarea` would need their own rule. Texts with `white-space: pre-line` are inserted at run time.
 */
function shortenMarkup(markup) {
  if (/<(pre|textarea)\b/.test(markup))
    throw new Error('A template contains <pre> or <textarea>, which keep whitespace');
  return markup.replaceAll(/[ \t\n]+/g, ' ');
}

function shortenSheet(sheet) {
  const quoted = /("[^"]*"|'[^']*')/.source;
  return (
    sheet
      .replaceAll(/\/\*.*?\*\//gs, '')
      .replaceAll(new RegExp(`${quoted}|[ \\t\\n]+`, 'g'), (_, text) => text ?? ' ')
      // Keep the space before a colon: "a :hover" and "a:hover" are different selectors.
      .replaceAll(new RegExp(`${quoted}| ?([{};,]) ?|(:) `, 'g'), '$1$2$3')
      .replaceAll(';}', '}')
  );
}

/**
 * Chromium compiles all functions of this file while it downloads, in another thread. By default, it compiles each one when it is
 * called first, and most functions of the first file are called before the first field shows.
 * https://v8.dev/blog/explicit-compile-hints
 */
const compileHint = '//# allFunctionsCalledOnLoad\n';

function minifyChunks(shrink) {
  return {
    name: 'widget-minify',
    apply: 'build',
    async renderChunk(source, { fileName, name }) {
      const options = { module: true, compress: { target: 'es2022' } };
      const { code, errors } = minifySync(fileName, source, options);
      if (errors.length > 0) throw new Error(`${fileName} can't be minified: ${errors[0].message}`);
      return { code: (name === firstChunk ? compileHint : '') + (await shrink(code)), map: null };
    },
  };
}

/**
 * Writes the folder of the version that the BFF serves.
 *
 * @returns {import('vite').Plugin}
 */
export function widgetVersion() {
  /** The folder of the previous build of `vite build --watch`, which each build replaces. */
  let previous;
  return {
    name: 'widget-version',
    apply: 'build',
    generateBundle: (_, bundle) => checkImports(Object.values(bundle)),
    writeBundle({ dir }, bundle) {
      const names = Object.keys(bundle);
      const files = Object.fromEntries(names.map((name) => [name, readFileSync(join(dir, name))]));
      const { version } = readJson(join(root, 'package.json'));
      const folder = writeVersion(dir, { version, entry: `${firstChunk}.js`, files });
      if (previous !== undefined && previous !== folder)
        rmSync(join(dir, previous), { recursive: true, force: true });
      previous = folder;
    },
  };
}

/** Fails if a page would request more files than necessary. */
export function checkImports(outputs) {
  const chunks = outputs.filter(({ type }) => type === 'chunk');
  const named = chunks.filter(({ name }) => Object.hasOwn(entries, name));
  const names = new Set(named.map(({ fileName }) => fileName));
  const others = new Set(chunks.flatMap(({ imports }) => imports)).difference(names);
  if (others.size > 0)
    throw new Error(
      `Chunks import ${[...others].join(', ')}, which costs one more request. Name its chunk in scripts/widget.mjs.`,
    );
  if (chunks.some(({ name, imports }) => name === firstChunk && imports.length > 0))
    throw new Error('The first load is more than one file, and one hash must cover it.');
}

/** Scripts and long texts, which are also stored compressed. */
const compressible = /\.(?:js|txt)$/;

/**
 * Writes `<version>-<hash>/` with every file, its Brotli and gzip forms, and its manifest, then the manifest that names this version
 * as current. The last write switches the version, so that an interrupted build leaves the previous one in use.
 *
 * @param {string} folder
 * @param {{ version: string, hash?: string, entry: string, files: Readonly<Record<string, Uint8Array>> }} built `hash`: by default
 *   that of every byte, because clients cache the files of a folder forever
 * @returns {string} the name of the folder
 */
export function writeVersion(folder, { version, entry, files, hash = toHash(files) }) {
  const name = `${version}-${hash}`;
  const write = (path, content) => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  };
  for (const [file, content] of Object.entries(files)) {
    write(join(folder, name, file), content);
    if (!compressible.test(file)) continue;
    write(join(folder, name, `${file}.br`), brotliCompressSync(content));
    write(join(folder, name, `${file}.gz`), gzipSync(content, { level: 9 }));
  }
  const listed = Object.entries(files).map(([file, content]) => ({
    file,
    bytes: content.length,
    integrity: `sha384-${createHash('sha384').update(content).digest('base64')}`,
  }));
  const manifest = toJson({ version, hash, entry, files: listed });
  write(join(folder, name, 'manifest.json'), manifest);
  write(join(folder, 'manifest.json'), manifest);
  return name;
}

/** @param {Readonly<Record<string, Uint8Array>>} files */
function toHash(files) {
  const hash = createHash('sha256');
  for (const [file, content] of Object.entries(files))
    hash.update(`${file} ${createHash('sha256').update(content).digest('hex')}\n`);
  return hash.digest('hex').slice(0, 8);
}
