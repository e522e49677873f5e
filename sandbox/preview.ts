// Previews of received files on the console. Anybody may have uploaded them, so a preview is served only as an image, a PDF, or
// plain text, whose type is read from the bytes. HTML, SVG, and everything else can only be downloaded.

import type { Context } from 'hono';
import type { DocumentRecord } from './state.ts';

export type PreviewType = (typeof signatures)[number]['type'] | 'text/plain';

const signatures = [
  { type: 'image/png', bytes: '89504e470d0a1a0a' },
  { type: 'image/jpeg', bytes: 'ffd8ff' },
  { type: 'image/gif', bytes: '47494638' },
  { type: 'application/pdf', bytes: '255044462d' },
] as const;

/** A longer text is cut. */
const maxTextBytes = 64_000;

/** Returns undefined for content that is not shown. */
export function findPreviewType(content: Uint8Array): PreviewType | undefined {
  const start = Buffer.from(content.subarray(0, 8)).toString('hex');
  const signature = signatures.find(({ bytes }) => start.startsWith(bytes));
  if (signature) return signature.type;
  return isText(content.subarray(0, maxTextBytes)) ? 'text/plain' : undefined;
}

/**
 * The response with a preview. `nosniff` and the type keep the browser from reading the bytes as HTML. The policy gives the document
 * an opaque origin, no script, and no network, should a viewer act on its content.
 */
export function servePreview(c: Context, document: DocumentRecord): Response | undefined {
  const { previewType } = document;
  if (previewType === undefined) return undefined;
  const isPlain = previewType === 'text/plain';
  const content = isPlain ? document.content.subarray(0, maxTextBytes) : document.content;
  c.header('Content-Type', isPlain ? 'text/plain; charset=utf-8' : previewType);
  c.header('Content-Disposition', 'inline');
  c.header('X-Content-Type-Options', 'nosniff');
  c.header('Content-Security-Policy', isolatedPolicy);
  c.header('Cross-Origin-Resource-Policy', 'same-origin');
  c.header('Cache-Control', 'no-store');
  return c.body(Uint8Array.from(content));
}

const isolatedPolicy = "default-src 'none'; frame-ancestors 'self'; sandbox";

/** UTF-8 without control characters, except tabs and line breaks. A character at the end may be cut. */
function isText(content: Uint8Array): boolean {
  if (content.length === 0) return false;
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(content, { stream: true });
    // oxlint-disable-next-line no-control-regex -- control characters are the sign of a binary file.
    return !/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/.test(text);
  } catch (error) {
    if (error instanceof TypeError) return false;
    throw error;
  }
}
