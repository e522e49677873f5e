// The format of log lines, and the reduction of errors.
import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { createBffLog } from '../../../bff/bff-log.ts';

describe('the log', () => {
  it('writes an event as a line of JSON', () => {
    expect(write({ event: 'shutdown-started', signal: 'SIGTERM' })).toMatchObject({
      level: 30,
      event: 'shutdown-started',
      signal: 'SIGTERM',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    });
  });

  it('reduces an error to class, code, and positions', () => {
    const error = Object.assign(new TypeError('471-82-9364 is wrong'), { code: 'ERR_ODD' });

    const line = write({ event: 'crashed', error });

    expect(line.error).toMatchObject({ name: 'TypeError', code: 'ERR_ODD' });
    expect(JSON.stringify(line)).not.toContain('471-82');
  });

  it('logs an error that is its own cause', () => {
    const error = new Error('x');
    error.cause = error;

    expect(write({ event: 'crashed', error }).error).toMatchObject({ cause: { name: 'Error' } });
  });

  it('logs an error that cannot be read', () => {
    const error = Object.defineProperty(new Error('x'), 'stack', {
      get: () => {
        throw new Error('y');
      },
    });

    expect(write({ event: 'crashed', error }).error).toEqual({ name: 'unreadable' });
  });

  it('scrubs the fields of an event', () => {
    const error = Object.assign(new Error('x'), { code: 'no such name: 471-82-9364' });

    expect(write({ event: 'crashed', error }).error.code).toBe('no such name: [ssn]');
  });

  it('writes every line to standard output before the process exits', () => {
    const program = `
      import { createBffLog } from '${import.meta.dirname}/../../../bff/bff-log.ts';
      const log = createBffLog();
      for (let line = 0; line < 100; line += 1) log({ event: 'shutdown-started', signal: 'A' + line });
      process.exit(1);`;
    const { stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', program]);
    const signals = String(stdout).trim().split('\n');
    expect(signals.map((line) => JSON.parse(line).signal)).toEqual(
      Array.from({ length: 100 }, (_none, line) => `A${line}`),
    );
  });

  it('escapes line breaks', () => {
    const lines: string[] = [];
    const log = createBffLog({ write: (line) => void lines.push(line) });

    log({ event: 'shutdown-started', signal: 'a\r\n{"event":"forged"}\u2028' });

    expect(lines).toHaveLength(1);
    expect(lines[0]!.trim()).not.toMatch(/[\r\n]/);
  });
});

function write(event: Parameters<ReturnType<typeof createBffLog>>[0]) {
  const lines: string[] = [];
  createBffLog({ write: (line) => void lines.push(line) })(event);
  return JSON.parse(lines.join(''));
}
