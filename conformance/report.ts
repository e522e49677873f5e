// The report for people: lines for the terminal, and Markdown.

import { type Row, type Verdict, verdicts } from './probe.ts';
import type { Report } from './run.ts';

export const verdictTexts: Readonly<Record<Verdict, string>> = {
  'as-specified': 'as specified',
  differs: 'differs',
  'known-now': 'silent: now known',
  'not-testable': 'not testable',
};

const bffTexts: Readonly<Record<NonNullable<Row['bff']>, string>> = {
  handled: 'The BFF understands it.',
  'handled-with-settings': 'The BFF understands it with the settings below.',
  'not-handled': 'The BFF does not understand it.',
};

export function toLine(row: Row): string {
  const bff = row.bff === undefined || row.bff === 'handled' ? '' : ` ${bffTexts[row.bff]}`;
  return `${verdictTexts[row.verdict].padEnd(17)}  ${row.id}\n${' '.repeat(19)}${toSentence(row.did)}${bff}`;
}

function toSentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

export function countVerdicts(rows: readonly Row[]): Readonly<Record<Verdict, number>> {
  const counts = { 'as-specified': 0, differs: 0, 'known-now': 0, 'not-testable': 0 };
  for (const { verdict } of rows) counts[verdict] += 1;
  return counts;
}

/** The end of the output: counts, settings, questions, and test records. */
export function toSummary(report: Report): string {
  const counts = countVerdicts(report.rows);
  const { settings, advice, problems } = report.follows;
  const lines = [
    '',
    `${report.rows.length} rows: ${verdicts.map((verdict) => `${counts[verdict]} ${verdictTexts[verdict]}`).join(', ')}. ${report.calls} calls.`,
  ];
  if (report.state !== 'complete') lines.push('', `Not complete. ${report.reason ?? ''}`.trim());
  if (Object.keys(settings).length > 0) {
    lines.push(
      '',
      'Settings that follow. Add these members to the file of FUNDING_SETTINGS:',
      '',
      JSON.stringify(settings, undefined, 2),
    );
  } else {
    lines.push('', 'No settings follow: the current settings fit.');
  }
  for (const problem of problems) lines.push(`  Not valid: ${problem}`);
  if (advice.length > 0) {
    lines.push('', 'What no setting can change:', ...advice.map((text) => `  ${text}`));
  }
  const created = listCreated(report);
  if (created.length > 0) {
    const ask = 'Test records. Ask the funding service to delete these leads with their files:';
    lines.push('', ask, ...created.map((line) => `  ${line}`));
  }
  return lines.join('\n');
}

function listCreated({ facts }: Report): readonly string[] {
  return facts.leads.map(({ applicationId, id, createdAt, probe }) => {
    const count = (list: readonly { readonly applicationId: string }[]) =>
      list.filter((record) => record.applicationId === applicationId).length;
    const documents = count(facts.documents);
    const reports = count(facts.assetReports);
    const more = [
      documents > 0 && `${documents} documents`,
      reports > 0 && `${reports} asset reports`,
    ].filter((part) => part !== false);
    return `${applicationId}  ID ${id}  ${createdAt}  ${probe}${more.length > 0 ? `  (${more.join(', ')})` : ''}`;
  });
}

export function toMarkdown(report: Report): string {
  const { environment, authHost, baseHost, partnerId, startedAt, endedAt } = report;
  const counts = countVerdicts(report.rows);
  const state = report.state === 'complete' ? 'Complete.' : `Not complete. ${report.reason ?? ''}`;
  const sections = new Map<string, Row[]>();
  for (const row of report.rows) {
    const subject = row.id.split('/')[0] ?? '';
    sections.set(subject, [...(sections.get(subject) ?? []), row]);
  }
  const { settings, advice } = report.follows;
  const hasSettings = Object.keys(settings).length > 0;
  return [
    `# Conformance of the funding service: ${environment}`,
    '',
    `- Hosts: ${authHost} (login), ${baseHost}. Partner: ${escape(partnerId)}.`,
    `- From ${startedAt} to ${endedAt}, ${report.calls} calls. ${state.trim()}`,
    ...verdicts.map((verdict) => `- ${verdictTexts[verdict]}: ${counts[verdict]}`),
    '',
    '## Settings that follow',
    '',
    ...(hasSettings
      ? [
          'Add these members to the file of `FUNDING_SETTINGS`:',
          '',
          '```json',
          JSON.stringify(settings, undefined, 2),
          '```',
        ]
      : ['None: the current settings fit.']),
    '',
    '## What no setting can change',
    '',
    ...(advice.length > 0 ? advice.map((text) => `- ${escape(text)}`) : ['Nothing.']),
    '',
    '## Rows',
    ...[...sections].flatMap(([subject, rows]) => [
      '',
      `### ${subject}`,
      '',
      '| Row | The specification | The service | Verdict |',
      '| --- | --- | --- | --- |',
      ...rows.map(
        (row) =>
          `| \`${row.id}\`: ${escape(row.title)} | ${escape(`${row.section}. ${row.says}`)} | ${escape(toSentence(row.did))}${row.bff === undefined ? '' : ` ${bffTexts[row.bff]}`} | ${verdictTexts[row.verdict]} |`,
      ),
    ]),
    '',
    '## Test records',
    '',
    'Ask the funding service to delete these leads with their files.',
    '',
    ...listCreated(report).map((line) => `- ${escape(line)}`),
    '',
  ].join('\n');
}

/** The texts of a service must not become Markdown or HTML. */
function escape(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll(/[\\`*_[\]|#!~]/g, String.raw`\$&`)
    .replaceAll(/\s+/g, ' ');
}
