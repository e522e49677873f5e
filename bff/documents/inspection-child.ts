// Entry point of the child processes that inspect documents. Only these processes parse the content of uploaded files.

import { inspectDocument } from './inspect-document.ts';
import { serveInspections } from './serve-inspections.ts';

// The PDF libraries print parts of a document as warnings, up to one for each object.
// oxlint-disable-next-line no-console -- This turns the console off.
console.warn = () => undefined;

serveInspections(inspectDocument);
