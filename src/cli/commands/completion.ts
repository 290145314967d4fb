import { findOwn } from "../../model/json.ts";
import { UsageError } from "../../model/errors.ts";
import type { CompletionValues } from "./definitions.ts";
import type { Io } from "../io/io.ts";

/** Prints a script that asks the program itself for words, so that completion follows from the settings. */
export async function run({ shell = "bash" }: CompletionValues, io: Io): Promise<0> {
  const script = findOwn(SCRIPTS, shell);
  if (script === undefined)
    throw new UsageError(`no completion for "${shell}": choose one of ${Object.keys(SCRIPTS).join(", ")}`);
  io.out(script);
  return 0;
}

/** Splits the line by itself: bash would cut words at ":" and "=", which names of contexts and flags contain. */
const BASH = `# Completion of preflight for bash: source <(preflight completion bash)
_preflight() {
  local line="\${COMP_LINE:0:COMP_POINT}" current prefix word
  local -a words
  read -a words <<< "$line"
  [[ "$line" == *[[:space:]] ]] && words+=("")
  current="\${words[\${#words[@]}-1]}"
  prefix="\${current%"\${current##*[=:]}"}"
  COMPREPLY=()
  while read -r word; do
    word="\${word%% -- *}"
    case "$word" in
      :files) compopt -o default ;;
      :folders) compopt -o dirnames ;;
      *) word="\${word#"$prefix"}" COMPREPLY+=("\${word// /\\\\ }") ;;
    esac
  done < <("\${words[0]}" __complete -- "\${words[@]:1}" 2>/dev/null)
}
complete -F _preflight preflight
`;

const ZSH = `#compdef preflight
# Completion of preflight for zsh: source <(preflight completion zsh)
_preflight() {
  local -a lines names texts
  local line
  lines=("\${(@f)$("\${words[1]}" __complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  case "\${lines[1]}" in
    :files) compset -P '*='; _files; return ;;
    :folders) compset -P '*='; _files -/; return ;;
  esac
  for line in "\${lines[@]}"; do
    [[ -n "$line" ]] || continue
    names+=("\${line%% -- *}")
    texts+=("$line")
  done
  (( \${#names} )) && compadd -l -d texts -- "\${names[@]}"
}
(( \${+functions[compdef]} )) || { autoload -Uz compinit && compinit }
compdef _preflight preflight
`;

const FISH = `# Completion of preflight for fish: preflight completion fish | source
function __preflight_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -l before (string replace -r '[^=]*$' '' -- "$current")
    set -l path (string replace -r '^.*=' '' -- "$current")
    set -l lines ($words[1] __complete -- $words[2..] "$current" 2>/dev/null)
    switch "$lines[1]"
        case ':files'
            string join \\n -- "$before"(__fish_complete_path "$path")
        case ':folders'
            string join \\n -- "$before"(__fish_complete_directories "$path" '')
        case '*'
            string replace ' -- ' \\t -- $lines
    end
end
complete -c preflight -f -a '(__preflight_complete)'
`;

const SCRIPTS: Readonly<Record<string, string>> = { bash: BASH, zsh: ZSH, fish: FISH };
