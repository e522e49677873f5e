// Whether a page of any origin can load the widget, unchanged, from the BFF's public address.

import { createHash } from 'node:crypto';
import { widgetManifestSchema } from '../../config/widget-folder.ts';
import type { PublicSite } from './address.ts';
import { describe, readJson, toMediaType, visitorHeaders } from './browser.ts';
import { ok, wrong, type Finding, type Findings } from './finding.ts';
import type { Arrived, Lost } from './visit.ts';

const folder = '/widget/';

export interface Widget {
  readonly version: string;
  /** Name of the file that pages load. */
  readonly entry: string;
  /** Of every file, the entry among them. */
  readonly files: readonly { readonly file: string; readonly integrity: string }[];
}

/** @returns what is served, as its manifest says; `undefined` when it is not there. */
export async function* examineScript(site: PublicSite): Findings<Widget | undefined> {
  const listed = await load(site, 'manifest.json');
  const widget = readJson(listed, widgetManifestSchema);
  if (!widget || listed.kind === 'lost' || listed.status !== 200) {
    yield wrong(
      'script',
      `${site.publicOrigin}${folder}manifest.json is not there (${describe(listed)}).`,
      'Copy dist/widget beside dist/bff, and have the proxy pass /widget/ on to the BFF.',
    );
    return undefined;
  }
  const entry = await load(site, widget.entry);
  yield examineHeaders(entry);
  yield await examineFiles(site, widget);
  yield await examineVersion(site, widget);
  return widget;
}

function load({ visit, publicOrigin }: PublicSite, file: string): Promise<Arrived | Lost> {
  // Any origin that is not the BFF's: a script of modules is asked for with CORS.
  const headers = { ...visitorHeaders, origin: 'https://doctor.invalid' };
  return visit({ method: 'GET', url: publicOrigin + folder + file, headers });
}

const neededHeaders = {
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
  'x-content-type-options': 'nosniff',
} as const;

function examineHeaders(answer: Arrived | Lost): Finding {
  if (answer.kind === 'lost' || answer.status !== 200) {
    const mend = 'Have the proxy pass /widget/ on to the BFF, without redirects.';
    return wrong('script', `The script does not load (${describe(answer)}).`, mend);
  }
  if (toMediaType(answer) !== 'text/javascript') {
    const mend = 'Let the type of the BFF through: Content-Type: text/javascript';
    return wrong('script', `It arrives as ${describe(answer)}; browsers refuse that.`, mend);
  }
  for (const [name, value] of Object.entries(neededHeaders)) {
    if (answer.headers.get(name) !== value) {
      const mend = `It has to be there once, as the BFF sends it (${name}: ${value}). nginx: take add_header and proxy_hide_header ${name} out.`;
      return wrong('script', `The header ${name} is changed, repeated or missing.`, mend);
    }
  }
  return ok('script', 'It loads, with the headers that pages of other origins need.');
}

async function examineFiles(site: PublicSite, { files }: Widget): Promise<Finding> {
  for (const { file, integrity } of files) {
    const answer = await load(site, file);
    if (answer.kind === 'lost' || toIntegrity(answer.bytes) !== integrity) {
      const mend =
        'Empty the cache of proxy and CDN after a release, and let them change no script (minifying, injected scripts).';
      return wrong('integrity', 'A file of the widget is not as it was built.', mend);
    }
  }
  return ok('integrity', 'All files of the widget arrive as they were built.');
}

async function examineVersion(site: PublicSite, { version, entry }: Widget): Promise<Finding> {
  const answer = await load(site, `${version}/${entry}`);
  if (answer.kind === 'arrived' && answer.status === 200) {
    return ok('version', `It is ${version}, also below ${folder}${version}/.`);
  }
  const mend = 'dist/widget and dist/bff are of two releases: copy both from one.';
  return wrong(
    'version',
    `Its manifest says ${version}, which is not served (${describe(answer)}).`,
    mend,
  );
}

function toIntegrity(bytes: Uint8Array): string {
  return `sha384-${createHash('sha384').update(bytes).digest('base64')}`;
}
