// The documents whose commands have a test of their own. Each of those tests takes its pages, or the names of its blocks, from
// this file. test/release/commands/documents.test.ts runs the commands of all other documents.

/** A command that no test runs, and why. */
export interface UntestedBlock {
  /** A part of the block. */
  readonly text: string;
  readonly reason: string;
}

/** test/release/packages/start.test.ts */
export const startPage = 'docs/start/index.md';
/** test/e2e/rehearsal.e2e.ts */
export const rehearsalPage = 'docs/deploy/rehearsal.md';
/** test/release/packages/mount-pages.test.ts follows each tab. Tests of test/release/packages build or check each tab of the second page. */
export const mountPage = 'docs/deploy/mount.md';
export const frameworksPage = 'docs/embed/frameworks.md';
export const serverlessPage = 'docs/deploy/serverless.md';

/** Of the reader who mounts the BFF in Next, by page. */
export const untestedNextBlocks: Readonly<Record<string, readonly UntestedBlock[]>> = {
  [mountPage]: [
    { text: 'npm pkg set type=module', reason: 'The reader has an application of Next.' },
  ],
  [frameworksPage]: [
    { text: 'npx funding-application-bff sandbox', reason: 'The page above starts the sandbox.' },
    { text: '5173 npx funding-application-bff', reason: 'The BFF is mounted in Next.' },
  ],
};

/** test/release/packages/testing-page.test.ts runs all but one command. */
export const testingPage = 'docs/embed/testing.md';
export const untestedTestingBlock: UntestedBlock = {
  text: 'playwright install',
  reason: 'The test uses the Chromium of the project.',
};

export const containersPage = 'docs/deploy/containers.md';
/** Parts of blocks. test/release/deployment/container.test.ts runs each, in Podman. */
export const podmanBlocks = [
  'podman build',
  '> /etc/funding/secrets/session-keys',
  'read -rsp',
  'install -m 0600 examples/deployment/bff.env',
  'podman run --rm',
  'podman run --detach',
  'healthcheck run',
  'exec funding-bff',
  'funding-backup "$(podman',
  'podman rename funding-bff funding-bff-before',
  'podman rename funding-bff-before funding-bff',
  'podman wait',
] as const;
/** Parts of blocks. The campaign of test/release/deployment/compose-campaign.ts runs each, in Docker. */
export const composeBlocks = [
  '> /etc/funding/secrets/session-keys',
  'read -rsp',
  'install -m 0600 examples/deployment/bff.env',
  '> /etc/funding/secrets/database-url',
  'chmod 0444',
  'bff-1 check --new-store',
  '--build --wait',
  'pg_dump',
  'docker compose stop bff-1 bff-2',
  'rename to funding_before_restore',
  'pg_restore',
  'docker compose build',
  'bff-1 check\n',
  '--wait bff-1\n',
  '--wait bff-2',
  'funding-bff:before funding-bff\n',
  'docker compose down',
] as const;
export const untestedContainerBlocks: readonly UntestedBlock[] = [
  { text: 'npm run build', reason: 'The tests need its result, and stop without it.' },
  { text: 'systemctl enable podman-restart', reason: 'The machine of the tests has no systemd.' },
  {
    text: 'main.js doctor',
    reason: 'Caddy signs the certificate of the campaign itself, and doctor refuses it.',
  },
];
