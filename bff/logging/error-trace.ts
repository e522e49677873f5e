// Reads positions from the stack of an error. The child processes that inspect documents load this file, so it must not load pino.

const maxPositions = 8;
const maxLength = 120;

/** Returns `file.ts:line:column` for each stack frame, innermost first. Folders and messages are left out. */
export function readStackPositions(error: Error): readonly string[] {
  return (error.stack ?? '')
    .split('\n')
    .map((line) => /^\s+at .*?([^\s(/\\]+:\d+:\d+)\)?$/.exec(line)?.[1])
    .filter((position) => position !== undefined)
    .filter((position) => position.length <= maxLength)
    .slice(0, maxPositions);
}
