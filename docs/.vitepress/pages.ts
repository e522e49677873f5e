// The pages of the site, in the order of the navigation. A new file in a section's folder appears at the end of that section.

import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

export const docsFolder = join(import.meta.dirname, '..');

export interface Section {
  /** Folder below docs/. */
  readonly folder: string;
  readonly title: string;
  readonly groups: readonly Group[];
}

export interface Group {
  readonly title: string;
  readonly pages: readonly Page[];
}

export interface Page {
  readonly title: string;
  /** URL without the origin, for example `/operate/alarms`. */
  readonly link: string;
}

interface SectionSource {
  readonly folder: string;
  readonly title: string;
  /** File names by the title of their group. All other pages follow in the last group, in the order of their file names. */
  readonly groups: Readonly<Record<string, readonly string[]>>;
}

const sections: readonly SectionSource[] = [
  { folder: 'start', title: 'Start', groups: { Start: ['index', 'demonstration', 'staging'] } },
  {
    folder: 'embed',
    title: 'Embed',
    groups: {
      Embed: ['index', 'frameworks', 'wordpress', 'shopify', 'package'],
      'Make it yours': ['theme', 'language', 'prefill', 'drafts'],
      Integrate: ['events', 'bank', 'challenge', 'apps', 'transport', 'versions', 'testing'],
    },
  },
  {
    folder: 'deploy',
    title: 'Deploy',
    groups: { Deploy: ['index', 'configuration', 'store', 'postgresql', 'proxy', 'mount'] },
  },
  {
    folder: 'operate',
    title: 'Operate',
    groups: { Operate: ['index', 'alarms', 'applications', 'backup'] },
  },
  { folder: 'security', title: 'Security', groups: { Security: ['index'] } },
  {
    folder: 'reference',
    title: 'Reference',
    groups: { Reference: ['index', 'environment', 'settings', 'commands', 'element', 'api'] },
  },
  {
    folder: 'contribute',
    title: 'Contribute',
    groups: { Contribute: ['index', 'recipes', 'element', 'dependencies', 'versions'] },
  },
  { folder: 'decisions', title: 'Decisions', groups: { Decisions: ['index'] } },
];

export function listSections(): Section[] {
  return sections.map(({ folder, title, groups }) => {
    const names = globSync('*.md', { cwd: join(docsFolder, folder) })
      .map((file) => basename(file, '.md'))
      .sort();
    const known = new Set(Object.values(groups).flat());
    const others = names.filter((name) => !known.has(name));
    return {
      folder,
      title,
      groups: Object.entries(groups).map(([group, listed], index, { length }) => ({
        title: group,
        pages: [...listed, ...(index === length - 1 ? others : [])]
          .filter((name) => names.includes(name))
          .map((name) => ({
            title: readTitle(join(docsFolder, folder, `${name}.md`)),
            link: name === 'index' ? `/${folder}/` : `/${folder}/${name}`,
          })),
      })),
    };
  });
}

/** The first heading of a page, as text. */
export function readTitle(file: string): string {
  const [, heading] = /^# (.+)$/m.exec(readFileSync(file, 'utf8')) ?? [];
  if (!heading) throw new Error(`${file} has no heading. Begin it with "# <title>".`);
  return heading.replaceAll('`', '');
}
