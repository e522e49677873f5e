// Received files on the console: name, category, size, and a folded preview.

import { html } from 'hono/html';
import { shorten, toFileSize, type Markup } from './page.ts';
import type { DocumentRecord } from './state.ts';

/**
 * Browsers load the preview when it is opened. Its response is isolated by a policy of its own (preview.ts). Chromium shows no PDF in a
 * frame with the attribute `sandbox`, but does with that policy.
 */
export function renderPreview({ documentId, previewType, name, ext }: DocumentRecord): Markup {
  const path = `/_sandbox/documents/${documentId}`;
  const title = `Preview of ${shorten(name, 60)}.${shorten(ext, 20)}`;
  const download = html`<a href="${path}/content">Download</a>`;
  if (previewType === undefined) {
    return html`<p class="note">No preview of this type. ${download}</p>`;
  }
  const content = previewType.startsWith('image/')
    ? html`<img src="${path}/preview" alt="${title}" loading="lazy" />`
    : html`<iframe
        src="${path}/preview"
        title="${title}"
        loading="lazy"
        ${previewType === 'application/pdf' ? '' : html`sandbox=""`}
      ></iframe>`;
  return html`<details class="preview">
    <summary>Preview</summary>
    ${content}
    <p class="note">
      <a href="${path}/preview" target="_blank" rel="noreferrer">Open in a new tab</a> ${download}
    </p>
  </details>`;
}

export function renderFile(document: DocumentRecord): Markup {
  const { name, ext, category, bytes, sha256, documentId } = document;
  return html`<p><strong>${shorten(name)}.${shorten(ext, 40)}</strong></p>
    <p class="facts">${category} · ${toFileSize(bytes)}</p>
    ${renderPreview(document)}
    <details>
      <summary>Identifiers</summary>
      <dl class="headers">
        <div>
          <dt>DocumentId</dt>
          <dd>${documentId}</dd>
        </div>
        <div>
          <dt>SHA-256</dt>
          <dd>${sha256}</dd>
        </div>
      </dl>
    </details>`;
}
