// Vite plugins for the npm package of the BFF: its types, the built element, the files for a server, and the programs beside the BFF.
import { cpSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';
import { readJson, root } from '../project.mjs';
import { describeSettings } from '../references/configuration.ts';
import { emitFiles, withoutRelativeLinks } from './packages.mjs';
import { createProgram, toDeclarationFile } from './types.mjs';

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

/** Texts of the examples that name their place in a clone, with those for the package. */
const changes = {
  'deployment/Containerfile': ['ARG RELEASE=dist', 'ARG RELEASE=.'],
  'deployment/compose.yaml': [
    'context: ../.., dockerfile: examples/deployment/',
    'context: .., dockerfile: deployment/',
  ],
  'hooks/hooks.ts': ['../../bff/config/hooks.ts', 'funding-application-bff'],
  'deployment/settings.json': [
    '/opt/funding/current/bff/',
    './node_modules/funding-application-bff/',
  ],
};

/**
 * Adds the types, the built element, which the BFF looks for beside its own folder, and the examples for a server, so that the folder
 * of the package is a release: `deployment`, `monitoring`, and `settings.json`. Also the settings for a project with the package, and
 * an example of hooks.
 *
 * @param {string} folder of the program, in the package
 * @returns {import('vite').Plugin[]}
 */
export function bffPackage(folder) {
  const types = async () => ({ [`${folder}/index.d.ts`]: await generateBffTypes() });
  return [emitFiles('bff-types', types), copyRelease()];
}

function copyRelease() {
  return {
    name: 'bff-package',
    apply: 'build',
    writeBundle({ dir }) {
      const widget = join(root, 'dist', 'widget');
      const { version, hash } = readJson(join(widget, 'manifest.json')) ?? {};
      if (!version) throw new Error('dist/widget is missing. Run npm run build.');
      for (const name of ['manifest.json', `${version}-${hash}`])
        cpSync(join(widget, name), join(dir, 'widget', name), { recursive: true });

      const examples = join(root, 'examples');
      // Keeps the modes of the programs.
      for (const name of ['deployment', 'monitoring', 'settings.json', 'hooks/hooks.ts'])
        cpSync(join(examples, name), join(dir, name), { recursive: true });
      cpSync(join(examples, 'settings.json'), join(dir, 'deployment', 'settings.json'));
      for (const [file, [text, replacement]] of Object.entries(changes)) {
        const content = readFileSync(join(dir, file), 'utf8');
        if (!content.includes(text)) throw new Error(`${file} does not contain "${text}".`);
        writeFileSync(join(dir, file), content.replaceAll(text, replacement));
      }
      for (const file of globSync('deployment/*.md', { cwd: dir })) {
        const path = join(dir, file);
        writeFileSync(path, withoutRelativeLinks(readFileSync(path, 'utf8')));
      }
    },
  };
}

/**
 * Adds a program by a build of its own: the program of the BFF shares no chunk with it, so that it neither loads its code nor grows
 * by it.
 *
 * @param {string} folder of the program, in the project and in the package
 * @param {import('vite').Plugin} packages the collector of the packages
 * @returns {import('vite').Plugin}
 */
export function separateProgram(folder, packages) {
  return emitFiles(`program-${folder}`, async () => {
    const { output } = await build({
      configFile: false,
      root,
      logLevel: 'warn',
      publicDir: false,
      ssr: { noExternal: true },
      plugins: [packages],
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
    return { [`${folder}/main.js`]: output[0].code };
  });
}

/** @returns {Promise<string>} */
export function generateBffTypes() {
  const program = createProgram('bff/index.ts', {
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
