// The documentation site. `npm run site` shows it and reloads after a change. `npm run build` writes it into dist/site.

import { readFileSync } from 'node:fs';
import { defineConfig } from 'vitepress';
import { toAnchor } from '../../scripts/references/markdown.ts';
import { linkToRepository } from './links.ts';
import { listSections, type Group } from './pages.ts';
import { fitToPhone } from './phone.ts';
import { toPolicy } from './policy.ts';
import { toSearchText } from './search.ts';
import { renderTabs } from './tabs.ts';

const { repository } = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
) as { repository?: { url: string } };
const repositoryUrl = repository?.url.replace(/^git\+|\.git$/g, '');

const sections = listSections();
const toSidebar = ({ title, pages }: Group) => ({
  text: title,
  items: pages.map((page) => ({ text: page.title, link: page.link })),
});
const referenceSidebar = [
  ...sections
    .filter(({ folder }) => folder === 'reference')
    .flatMap(({ groups }) => groups.map(toSidebar)),
  {
    text: 'Evidence and code',
    items: [
      { text: 'Reliability', link: '/reliability' },
      { text: 'Performance', link: '/performance' },
      { text: 'Decisions', link: '/decisions/' },
      { text: 'Contribute', link: '/contribute/' },
    ],
  },
];

// VitePress requires a default export.
// oxlint-disable-next-line import/no-default-export
export default defineConfig({
  title: 'Funding application',
  description:
    'A business funding application on your own website: one element, and a BFF that keeps its secrets.',
  lang: 'en-US',
  outDir: '../dist/site',
  cacheDir: '../node_modules/.cache/vitepress',
  // A file instead of an inline script, for the Content-Security-Policy.
  metaChunk: true,
  // In the procedures that start the example.
  ignoreDeadLinks: 'localhostLinks',
  head: [
    ['meta', { name: 'color-scheme', content: 'light dark' }],
    ['link', { rel: 'icon', href: 'data:,' }],
  ],
  // Otherwise each page adds a style element, which the policy refuses.
  appearance: { disableTransition: false },
  transformHtml: toPolicy,
  markdown: {
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    languageAlias: { mjs: 'js' },
    anchor: { slugify: toAnchor },
    config: (md) => {
      linkToRepository(md, repositoryUrl);
      fitToPhone(md);
      renderTabs(md);
    },
  },
  themeConfig: {
    nav: [
      ...sections
        .filter(({ folder }) => !['reference', 'contribute', 'decisions'].includes(folder))
        .map(({ folder, title }) => ({
          text: title,
          link: `/${folder}/`,
          activeMatch: `^/${folder}/`,
        })),
      { text: 'Troubleshoot', link: '/troubleshoot' },
      {
        text: 'Reference',
        link: '/reference/',
        activeMatch: '^/(?:reference|contribute|decisions|reliability|performance)',
      },
    ],
    sidebar: {
      ...Object.fromEntries(
        sections.map(({ folder, groups }) => [`/${folder}/`, groups.map(toSidebar)]),
      ),
      ...Object.fromEntries(['/reference/', '/'].map((path) => [path, referenceSidebar])),
    },
    outline: { level: [2, 3], label: 'On this page' },
    docFooter: { prev: 'Previous', next: 'Next' },
    search: { provider: 'local', options: { _render: toSearchText } },
  },
});
