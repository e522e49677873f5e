// Highlights PromQL, the language of alerts, which Shiki does not know.

export const promql = {
  name: 'promql',
  scopeName: 'source.promql',
  repository: {},
  patterns: [
    { name: 'comment.line.number-sign.promql', match: '#.*$' },
    {
      name: 'string.quoted.promql',
      match: '"(?:[^"\\\\]|\\\\.)*"|\'(?:[^\'\\\\]|\\\\.)*\'|`[^`]*`',
    },
    {
      name: 'constant.numeric.promql',
      match: '\\b\\d+(?:\\.\\d+)?(?:[eE][+-]?\\d+)?(?:ms|[smhdwy])?\\b',
    },
    {
      name: 'keyword.operator.word.promql',
      match: '\\b(?:and|or|unless|by|without|on|ignoring|group_left|group_right|offset|bool)\\b',
    },
    {
      name: 'entity.name.function.promql',
      match: '\\b[a-z_]\\w*(?=\\s*\\(|\\s+(?:by|without)\\b)',
    },
    { name: 'variable.parameter.promql', match: '\\b[a-zA-Z_]\\w*(?=\\s*(?:=~|!~|!=|=(?!=)))' },
    { name: 'keyword.operator.promql', match: '[-+*/%^<>=!~]+' },
  ],
};
