// The program of an inspection thread. Only here are hostile bytes parsed, away from everything else and without a secret.

import { parentPort } from 'node:worker_threads';
import { inspectDocument } from './inspect-document.ts';
import { serveInspections } from './serve-inspections.ts';

if (!parentPort) throw new Error('This program is for a thread');
serveInspections(parentPort, inspectDocument);
