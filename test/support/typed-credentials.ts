// The reader who types what a page asks for with `read`.

/** A function of Bash: answers `read -rsp "client-id: " value` with the variable CLIENT_ID. */
export const typedCredentials = `read() {
  local name="\${2%: }"
  name="\${name^^}"
  name="\${name//-/_}"
  printf -v "\${!#}" %s "\${!name}"
}
`;
