// The settings that follow from the rows: a part of the file of FUNDING_SETTINGS, checked by the BFF's own parser.

import { parseSettings, type Settings } from '../bff/config/settings.ts';
import type { Row, SettingChange } from './probe.ts';

export interface Fragment {
  /** Members for the file of FUNDING_SETTINGS. Empty: the current settings fit. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** Problems of the fragment. Always empty, unless a probe is wrong. */
  readonly problems: readonly string[];
  /** Questions to the funding service, which no setting answers. */
  readonly advice: readonly string[];
}

export function createFragment(rows: readonly Row[], current: Settings): Fragment {
  const settings: Record<string, unknown> = {};
  for (const change of rows.flatMap((row) => row.settings ?? [])) {
    apply(settings, change, current);
  }
  const parsed = parseSettings(JSON.stringify(settings));
  return {
    settings,
    problems: 'problems' in parsed ? parsed.problems : [],
    advice: [...new Set(rows.flatMap(({ id, advice }) => (advice ? [`${id}: ${advice}`] : [])))],
  };
}

function apply(
  target: Record<string, unknown>,
  { path, value, isPattern }: SettingChange,
  current: Settings,
): void {
  const [group = '', member] = path.split('.');
  if (member === undefined) {
    target[group] = value;
    return;
  }
  const members = (target[group] ??= {}) as Record<string, unknown>;
  if (!isPattern) {
    members[member] = value;
    return;
  }
  const texts: Readonly<Record<string, readonly string[] | undefined>> = current.serviceTexts;
  const list = (members[member] ?? texts[member] ?? ['default']) as readonly unknown[];
  members[member] = list.includes(value) ? list : [...list, value];
}

/** The settings file with the members of the fragment. A group of the fragment is added to the group of the file. */
export function mergeSettings(file: string, fragment: Fragment['settings']): string {
  const merged = JSON.parse(file) as Record<string, unknown>;
  for (const [name, value] of Object.entries(fragment)) {
    const existing = merged[name];
    const isGroup = typeof value === 'object' && value !== null && !Array.isArray(value);
    merged[name] = isGroup ? { ...(existing as object | undefined), ...value } : value;
  }
  return JSON.stringify(merged, undefined, 2);
}
