import type { Io } from "../io.ts";

/** Asks the parser for the words, so that completion follows from the settings. */
const SCRIPT = `_preflight_completions() {
  local IFS=$'\\n'
  COMPREPLY=($(compgen -W "$(preflight --get-yargs-completions "\${COMP_WORDS[@]}" 2>/dev/null)" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o bashdefault -o default -F _preflight_completions preflight
`;

export async function run(_values: object, io: Io): Promise<number> {
  io.out(SCRIPT);
  return 0;
}
