// An inspection child that does what its document says, for example block, crash, or exhaust memory.

import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync, writeSync } from 'node:fs';
import { serveInspections, type Inspect } from '../../../../bff/documents/serve-inspections.ts';

const accepted = { kind: 'accepted', extension: 'pdf' } as const;
const refused = { kind: 'refused', code: 'document-damaged', detail: 'pdf-cut-off' } as const;

const acts: Readonly<Record<string, () => void>> = {
  hang: spin,
  'fill arrays': fillArrays,
  'fill buffers': fillBuffers,
  'exit 3': () => process.exit(3),
  abort: () => process.abort(),
  segfault: () => {
    process.kill(process.pid, 'SIGSEGV');
    spin();
  },
  garbage: () => {
    writeSync(3, 'accepted\n');
    spin();
  },
  flood: () => {
    for (;;) writeSync(3, 'x'.repeat(1_000));
  },
  throw: () => {
    throw new TypeError('Quillmark Bakery');
  },
  'throw at length': () => {
    throw Object.assign(new Error(), { name: 'Quillmark Bakery '.repeat(10_000) });
  },
  'terminate the group': () => process.kill(process.pid, 'SIGTERM'),
};

const inspect: Inspect = async (bytes, extension, { allowedExtensions }) => {
  const text = Buffer.from(bytes).toString('latin1');
  acts[text]?.();
  switch (text) {
    case 'throw later':
      setImmediate(() => acts['throw']?.());
      return new Promise(() => undefined);
    case 'lie':
      return { ...accepted, extension: 'exe' };
    case 'check surroundings':
      return isConfined() ? accepted : refused;
    case 'refuse':
      return refused;
  }
  const isWhole = !text.startsWith('x') || (text.length === 10_485_720 && /^x+$/.test(text));
  const isAsSent = extension === 'pdf' && allowedExtensions.join() === 'pdf,png';
  return isWhole && isAsSent ? accepted : refused;
};

serveInspections(inspect);

function spin(): never {
  for (;;);
}

function fillArrays(): never {
  const kept: number[][] = [];
  for (;;) kept.push(Array.from({ length: 100_000 }, (_none, index) => index));
}

function fillBuffers(): never {
  const kept: Uint8Array[] = [];
  for (;;) kept.push(new Uint8Array(1_000_000).fill(1));
}

/** True without an environment, without the parent's Node options, and without access to files and programs. */
function isConfined(): boolean {
  const isBare =
    Object.keys(process.env).length === 0 && !process.execArgv.join().includes('inspect');
  return (
    isBare &&
    isDenied(() => readFileSync('/etc/hostname')) &&
    isDenied(() => writeFileSync(import.meta.filename, '')) &&
    isDenied(() => execFileSync(process.execPath, ['--version']))
  );
}

function isDenied(act: () => unknown): boolean {
  try {
    act();
    return false;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ERR_ACCESS_DENIED';
  }
}
