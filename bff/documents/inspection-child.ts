// The program of the child processes that inspect documents: the only place where bytes from strangers are parsed.

import { inspectDocument } from './inspect-document.ts';
import { serveInspections } from './serve-inspections.ts';

serveInspections(inspectDocument);
