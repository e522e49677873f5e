// Writes what web-test-runner found as JSON, for the table of `npm test`.
import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { root } from './project.mjs';

export function jsonReporter(file) {
  return {
    onTestRunFinished({ sessions }) {
      const report = sessions.map(({ browser, testFile, passed, errors, logs, testResults }) => ({
        browser: browser.name,
        testFile: relative(root, testFile),
        passed,
        errors,
        logs: logs.map((args) => args.map(String)),
        testResults,
      }));
      writeFileSync(file, JSON.stringify(report));
    },
  };
}
