// "Are the types wrong?", by its file: vitest imports with the condition `development`, which the package has for its own sources.

export {
  checkPackage,
  createPackageFromTarballData,
} from '../node_modules/@arethetypeswrong/core/dist/index.js';
