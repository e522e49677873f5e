// The code of an error, for logs and messages that must not contain the error's message.

/** The `code` of an error of Node or a library, else the name of its class. `undefined` for a value that is not an `Error`. */
export function toErrorCode(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}
