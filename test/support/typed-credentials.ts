// The reader who types what a page asks for with `read`.

/** A function of Bash: answers `read -rsp "client-id: " value` with the variable CLIENT_ID, or with any text. */
export const typedCredentials = `read() {
  [ "$1" = -rsp ] || { builtin read "$@"; return; }
  local name="\${2%: }"
  name="\${name^^}"
  name="\${name//-/_}"
  printf -v "\${!#}" %s "\${!name:-typed-value}"
}
`;
