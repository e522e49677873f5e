// The pages of the site, in the order of the navigation. A new file in a section's folder appears at the end of that section.

import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

export const docsFolder = join(import.meta.dirname, '..');

export interface Section {
  /** Folder below docs/. */
  readonly folder: string;
  readonly title: string;
  readonly pages: readonly Page[];
}

export interface Page {
  readonly title: string;
  /** URL without the origin, for example `/operate/alarms`. */
  readonly link: string;
}

/** Order of the pages that are in a sequence. All others follow in the order of their file names. */
const sections = [
  { folder: 'start', title: 'Start', first: ['index', 'staging'] },
  {
    folder: 'embed',
    title: 'Embed',
    first: [
      'index',
      'package',
      'html',
      'react',
      'vue',
      'svelte',
      'angular',
      'next',
      'wordpress',
      'shopify',
    ],
  },
  {
    folder: 'deploy',
    title: 'Deploy',
    first: ['index', 'configuration', 'store', 'postgresql', 'proxy'],
  },
  { folder: 'operate', title: 'Operate', first: ['index', 'alarms', 'applications', 'backup'] },
  { folder: 'security', title: 'Security', first: ['index'] },
  {
    folder: 'reference',
    title: 'Reference',
    first: ['environment', 'settings', 'commands', 'element', 'api'],
  },
  { folder: 'decisions', title: 'Decisions', first: ['index'] },
] as const;

export function listSections(): Section[] {
  return sections.map(({ folder, title, first }) => ({
    folder,
    title,
    pages: listNames(folder, first).map((name) => ({
      title: readTitle(join(docsFolder, folder, `${name}.md`)),
      link: name === 'index' ? `/${folder}/` : `/${folder}/${name}`,
    })),
  }));
}

/** The first heading of a page, as text. */
export function readTitle(file: string): string {
  const [, heading] = /^# (.+)$/m.exec(readFileSync(file, 'utf8')) ?? [];
  if (!heading) throw new Error(`${file} has no heading. Begin it with "# <title>".`);
  return heading.replaceAll('`', '');
}

function listNames(folder: string, first: readonly string[]): string[] {
  const names = globSync('*.md', { cwd: join(docsFolder, folder) })
    .map((file) => basename(file, '.md'))
    .sort();
  return [
    ...first.filter((name) => names.includes(name)),
    ...names.filter((name) => !first.includes(name)),
  ];
}
