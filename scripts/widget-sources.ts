// What the built widget is made of: where any of it is newer than the build, `npm start` builds anew.

export const widgetSources = [
  'widget/**/*',
  'shared/{application,api}/**/*',
  'scripts/{widget-*,third-party-notices,project}.mjs',
  'scripts/license-texts/*',
  'vite.config.ts',
  'package.json',
  'package-lock.json',
];
