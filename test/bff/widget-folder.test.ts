// Where the widget is served from, and what is said when it is not there.

import { describe, expect, it } from 'vitest';
import { createReader } from '../../bff/config-reader.ts';
import { readWidgetFolder } from '../../bff/widget-folder.ts';
import project from '../../package.json' with { type: 'json' };

const manifest = (version: string) => JSON.stringify({ version, entry: 'form.js', files: [] });
const built = {
  '/usual/manifest.json': manifest(`${project.version}-1f3870be`),
  '/usual/form.js': 'entry',
};
const notBuilt =
  'WIDGET_FOLDER is not set, and the widget is not built. Run npm run build; a release needs dist/widget beside dist/bff. Set it to none where something else serves the widget.';

describe('the folder of the widget', () => {
  it('is the usual one, unless another is named', () => {
    const version = `${project.version}-1f3870be`;
    expect(read(built)).toEqual({ widget: { directory: '/usual', version }, problems: [] });
    const other = { '/srv/manifest.json': manifest(project.version), '/srv/form.js': 'entry' };
    expect(read(other, '/srv').widget).toEqual({ directory: '/srv', version: project.version });
  });

  it('is none where something else serves the widget', () => {
    expect(read({}, 'none')).toEqual({ widget: undefined, problems: [] });
  });

  it.each([
    ['nothing', {}],
    ['no manifest', { '/usual/form.js': 'entry' }],
    ['a manifest that is none', { ...built, '/usual/manifest.json': '{' }],
    ['a manifest of nothing', { '/usual/manifest.json': manifest(project.version) }],
  ])('is refused with %s in it', (_name, files) => {
    expect(read(files)).toEqual({ widget: undefined, problems: [notBuilt] });
  });

  it('is refused by the name that was given to it', () => {
    const [problem] = read(built, '/elsewhere').problems;
    expect(problem).toContain('WIDGET_FOLDER names a folder that holds no built widget. Run');
    expect(problem).not.toContain('elsewhere');
  });

  it.each(['0.0.1', `${project.version}1`])('is refused with the widget of %s', (version) => {
    expect(read({ ...built, '/usual/manifest.json': manifest(version) }).problems).toEqual([
      'WIDGET_FOLDER leads to the widget of another release. Copy dist/widget and dist/bff from one build.',
    ]);
  });
});

function read(files: Readonly<Record<string, string>>, WIDGET_FOLDER?: string) {
  const readFile = (path: string) => {
    const text = files[path];
    if (text === undefined) throw new Error('ENOENT');
    return text;
  };
  const reader = createReader({ variables: { WIDGET_FOLDER }, readFile }, {});
  const widget = readWidgetFolder(reader, { readFile }, '/usual');
  return { widget, problems: reader.problems() };
}
