// The fields of a document that fetch or start something when they are brought up to date (ISO/IEC 29500-1, 17.16.5).

/** They name another program or another file's contents. */
const startingFields = /\{ ?"?(DDE|DDEAUTO|LINK|DATABASE|HTMLCONTROL)[ "{]/i;
/** They include a text or a picture; from elsewhere it is fetched when the document is opened. */
const fetchingFields =
  /\{ ?"?(INCLUDE|INCLUDETEXT|INCLUDEPICTURE|IMPORT) ?"? ?(https?:|ftp:|file:|\\\\|\/\/)/i;

/** @param instructions of all fields, each piece as it stands, with `{` where a field begins, parts or ends */
export function hasActiveField(instructions: string): boolean {
  const text = `{${instructions.replaceAll(/\s+/g, ' ')} `;
  return startingFields.test(text) || fetchingFields.test(text);
}
