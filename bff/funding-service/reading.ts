// Tolerant reading of answers: absent, null, numeric text and booleans as text are all met in practice.

import { toJson } from '../json.ts';
import type { TransportAnswer } from './transport.ts';

type JsonObject = Readonly<Record<string, unknown>>;

const maxFigureLength = 60;

/** The parsed body; `undefined` when it is no JSON. JSON text inside a JSON string is unpacked once. */
export function parseJson(text: string): unknown {
  const value = toJson(text.replace(/^\uFEFF/, ''));
  return typeof value === 'string' ? (toJson(value) ?? value) : value;
}

export function readObject(value: unknown): JsonObject | undefined {
  // The check makes it an object with string keys; its values stay unknown.
  return isObject(value) ? (value as JsonObject) : undefined;
}

/** Trimmed text, or a number as text; `undefined` when absent, null, empty or anything else. */
export function readText(value: unknown): string | undefined {
  if (typeof value === 'number' && Number.isFinite(value)) return String(value);
  if (typeof value !== 'string') return undefined;
  return value.trim() || undefined;
}

/** A text that is passed on as it came, blanks and lines at its ends included; one of blanks alone is none. */
export function readWholeText(value: unknown): string | undefined {
  return readText(value) === undefined ? undefined : String(value);
}

/** An identifier goes into headers and bodies later; one with blanks or line breaks is none. */
export function readId(value: unknown): string | undefined {
  const id = readText(value);
  return id && /^[\x21-\x7e]{1,100}$/.test(id) ? id : undefined;
}

/** `true`, `"true"`, `"True"`, … */
export function readBoolean(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value;
  if (typeof value !== 'string') return undefined;
  const word = value.trim().toLowerCase();
  if (word === 'true') return true;
  return word === 'false' ? false : undefined;
}

/**
 * A finite number or numeric text (`"12.5"`, `"1.2E5"`, `"$1,250.00"`, `"9.5%"`); else `null`. A comma counts only where it
 * groups thousands: `"12,5"` could mean two figures, so it is none.
 */
export function readNumber(value: unknown): number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  // Longer than any figure; the patterns below would take hours over a text of megabytes.
  if (typeof value !== 'string' || value.length > maxFigureLength) return null;
  const bare = value
    .trim()
    .replace(/^(-?)\s*\$\s*/, '$1')
    .replace(/\s*%$/, '');
  if (/^-?\d{1,3}(,\d{3})+(\.\d+)?$/.test(bare)) return Number(bare.replaceAll(',', ''));
  return /^-?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,3})?$/i.test(bare) ? toFinite(Number(bare)) : null;
}

export function isHtml(answer: TransportAnswer): boolean {
  return /html/i.test(answer.headers['content-type'] ?? '') || /^\s*</.test(answer.text);
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function toFinite(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}
