// Sources of the built widget. `npm start` builds the widget again when a source is newer than the build.

export const widgetSources = [
  'widget/**/*',
  'shared/{application,api}/**/*',
  'scripts/{widget-*,third-party-notices,package-sbom,project}.mjs',
  'scripts/license-texts/*',
  'vite.config.ts',
  'package.json',
  'package-lock.json',
];
