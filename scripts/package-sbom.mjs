// Writes the software bill of materials of a build or of an npm package: a CycloneDX document with the packages whose code is in its
// files.
import { join } from 'node:path';
import { Contrib, Enums, Models, Serialize, Spec } from '@cyclonedx/cyclonedx-library';
import { readJson, root } from './project.mjs';
import { listPackages } from './third-party-notices.mjs';

export const sbomFile = 'sbom.cdx.json';

const licenses = new Contrib.License.Factories.LicenseFactory(rejectPlainText);
const builder = new Contrib.FromNodePackageJson.Builders.ComponentBuilder(
  new Contrib.FromNodePackageJson.Factories.ExternalReferenceFactory(),
  licenses,
);

/**
 * A Vite plugin for a build that is not an npm package: writes the document beside the notices.
 *
 * @param {string} name of the part of the project
 * @param {readonly { name: string, credit: string }[]} copied packages whose files the build copies
 * @returns {import('vite').Plugin}
 */
export function softwareBill(name, copied = []) {
  return {
    name: 'software-bill',
    apply: 'build',
    generateBundle(_, bundle) {
      const outputs = Object.values(bundle);
      const modules = outputs.flatMap((output) => ('moduleIds' in output ? output.moduleIds : []));
      const { version, license } = readJson(join(root, 'package.json'));
      const source = toSbom({ name, version, license }, listPackages(modules, copied));
      this.emitFile({ type: 'asset', fileName: sbomFile, source });
    },
  };
}

/**
 * The document contains no time and no random number, so that the same files give the same bytes.
 *
 * @param {{ name: string, version: string }} own the `package.json` of the package
 * @param {readonly { manifest: { name: string, version: string, dependencies?: Record<string, string> } }[]} packages
 *   what the package contains, from `listPackages` or `readBundledPackages`
 * @returns {string} JSON
 */
export function toSbom(own, packages) {
  const root = toComponent(own);
  const components = packages.map(({ manifest }) => ({
    manifest,
    component: toComponent(manifest),
  }));
  for (const { manifest, component } of components) {
    root.dependencies.add(component.bomRef);
    for (const name of Object.keys(manifest.dependencies ?? {})) {
      const found = components.find((other) => other.manifest.name === name);
      if (found) component.dependencies.add(found.component.bomRef);
    }
  }
  const bom = new Models.Bom({
    metadata: new Models.Metadata({ component: root }),
    components: new Models.ComponentRepository(components.map(({ component }) => component)),
  });
  const normalizer = new Serialize.JSON.Normalize.Factory(Spec.Spec1dot6);
  const serializer = new Serialize.JsonSerializer(normalizer);
  return `${serializer.serialize(bom, { sortLists: true, space: 2 })}\n`;
}

function toComponent(manifest) {
  const component = builder.makeComponent(manifest, Enums.ComponentType.Library);
  if (!component) throw new Error(`${manifest.name} can't be a component of the SBOM.`);
  component.purl = toPurl(manifest);
  component.bomRef.value = component.purl;
  return component;
}

/** https://github.com/package-url/purl-spec: the scope is the namespace, and its `@` is percent-encoded. */
export function toPurl({ name, version }) {
  return `pkg:npm/${name.replace('@', '%40')}@${encodeURIComponent(version)}`;
}

/** The library asks only about texts that are not an SPDX id. */
function rejectPlainText(text) {
  if (!/ (?:AND|OR|WITH) /.test(text)) throw new Error(`${text} is not an SPDX expression.`);
}
