// Vite plugins: the types of the BFF's npm package, the built element, which the package serves, the files for a server, and the
// programs beside the BFF.
import { cpSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ts } from '@custom-elements-manifest/analyzer';
import { build } from 'vite';
import { withoutRelativeLinks } from './package-folder.mjs';
import { readJson, root, toJson } from './project.mjs';
import { describeSettings } from './references/settings.ts';
import { toDeclarationFile } from './widget-types.mjs';

const entry = join(root, 'bff', 'index.ts');
const widget = join(root, 'dist', 'widget');
const manifestName = 'manifest.json';

/** The types of Node that the public types refer to, by their module. */
const nodeTypes = {
  'node:http': ['IncomingMessage', 'Server', 'ServerOptions', 'ServerResponse'],
};

/** The paths of settings, by the types that contain them. */
const settingPaths = {
  Settings: '',
  SettingsFile: '',
  ChoiceSetting: 'fundingReasons[].',
  ConsentSetting: 'consents[].',
};
const languages = { en: 'The text in English.', es: 'The text in Spanish.' };

/**
 * @param {string} folder of the program, in the package
 * @returns {import('vite').Plugin}
 */
export function bffPackage(folder) {
  return {
    name: 'bff-package',
    apply: 'build',
    async generateBundle() {
      this.emitFile({
        type: 'asset',
        fileName: `${folder}/index.d.ts`,
        source: await generateBffTypes(),
      });
    },
    // The BFF looks for the element beside its own folder.
    writeBundle({ dir }) {
      const { version } = readJson(join(widget, manifestName)) ?? {};
      if (!version) throw new Error('dist/widget is missing. Run vite build first.');
      for (const name of [manifestName, version])
        cpSync(join(widget, name), join(dir, 'widget', name), { recursive: true });
      for (const folder of ['.', version]) withoutPackageJson(join(dir, 'widget', folder));
    },
  };
}

/** Texts of the examples that name their place in a clone, with those for the package. */
const changes = {
  'deployment/Containerfile': [['ARG RELEASE=dist', 'ARG RELEASE=.']],
  'deployment/compose.yaml': [
    ['context: ../.., dockerfile: examples/deployment/', 'context: .., dockerfile: deployment/'],
  ],
  'hooks/hooks.ts': [['../../bff/config/hooks.ts', 'funding-application-bff']],
};

/**
 * Copies the examples for a server, so that the folder of the package is a release: `deployment`, `monitoring`, and `settings.json`.
 * Also the settings for a project with the package, and an example of hooks.
 *
 * @returns {import('vite').Plugin}
 */
export function serverFiles() {
  const examples = join(root, 'examples');
  return {
    name: 'server-files',
    apply: 'build',
    writeBundle({ dir }) {
      // Keeps the modes of the programs.
      for (const name of ['deployment', 'monitoring', 'settings.json', 'hooks/hooks.ts'])
        cpSync(join(examples, name), join(dir, name), { recursive: true });
      for (const [file, replaced] of Object.entries(changes))
        for (const [text, replacement] of replaced) change(join(dir, file), text, replacement);
      for (const file of globSync('deployment/*.md', { cwd: dir })) {
        const path = join(dir, file);
        writeFileSync(path, withoutRelativeLinks(readFileSync(path, 'utf8')));
      }
      const settings = join(dir, 'deployment', 'settings.json');
      cpSync(join(examples, 'settings.json'), settings);
      change(settings, '/opt/funding/current/bff/', './node_modules/funding-application-bff/');
    },
  };
}

function change(path, text, replacement) {
  const content = readFileSync(path, 'utf8');
  if (!content.includes(text)) throw new Error(`${path} does not contain "${text}".`);
  writeFileSync(path, content.replaceAll(text, replacement));
}

/**
 * Adds a program by a build of its own: the program of the BFF shares no chunk with it, so that it neither loads its code nor grows
 * by it.
 *
 * @param {string} folder of the program, in the project and in the package
 * @param {readonly string[]} files that the program reads beside it
 * @returns {{ plugin: import('vite').Plugin, modules: () => readonly string[] }} `modules`: those whose code the program contains
 */
export function separateProgram(folder, files) {
  let modules = [];
  const plugin = {
    name: `program-${folder}`,
    apply: 'build',
    async generateBundle() {
      const { output } = await build({
        configFile: false,
        root,
        logLevel: 'warn',
        publicDir: false,
        ssr: { noExternal: true },
        build: {
          ssr: `${folder}/main.ts`,
          write: false,
          target: 'node24',
          rolldownOptions: {
            checks: { bundlerTimings: false },
            // Comments would name the folders of the machine.
            experimental: { attachDebugInfo: 'none' },
            output: { format: 'es', entryFileNames: 'main.js', codeSplitting: false },
          },
        },
      });
      const [program] = output;
      modules = Object.keys(program.modules);
      const emit = (name, source) =>
        this.emitFile({ type: 'asset', fileName: `${folder}/${name}`, source });
      emit('main.js', program.code);
      for (const name of files) emit(name, readFileSync(join(root, folder, name)));
    },
  };
  return { plugin, modules: () => modules };
}

/** A package inside of a package would confuse bundlers. No page loads this file. */
function withoutPackageJson(folder) {
  const path = join(folder, manifestName);
  const manifest = readJson(path);
  const files = manifest.files.filter(({ file }) => file !== 'package.json');
  writeFileSync(path, toJson({ ...manifest, files }));
  for (const extension of ['', '.br', '.gz'])
    rmSync(join(folder, `package.json${extension}`), { force: true });
}

/** @returns {Promise<string>} */
export function generateBffTypes() {
  const program = ts.createProgram([entry], {
    target: ts.ScriptTarget.ES2022,
    lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts', 'lib.dom.asynciterable.d.ts'],
    module: ts.ModuleKind.NodeNext,
    allowImportingTsExtensions: true,
    resolveJsonModule: true,
    noEmit: true,
    strict: true,
    exactOptionalPropertyTypes: true,
    types: ['node'],
  });
  const settings = describeSettings();
  return toDeclarationFile(program, {
    hasValues: true,
    external: nodeTypes,
    // The descriptions of docs/reference/settings.md.
    describe(path) {
      const [, type, member] = /^(\w+)\.(.+)$/.exec(path) ?? [];
      const [, language] = /\.(\w\w)$/.exec(path) ?? [];
      return settings.get(`${settingPaths[type]}${member}`) ?? languages[language];
    },
    header: '// The types of funding-application-bff. Generated from the source of the BFF.\n',
  });
}
