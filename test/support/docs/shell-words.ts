/** The words of each simple command in a line for a shell, without redirections, comments and variables that are set for it. */
export function splitCommands(line: string): readonly (readonly string[])[] {
  const commands: string[][] = [];
  let words: string[] = [];
  let isFile = false;
  for (const token of line.replace(/^\$ /, "").match(TOKEN) ?? []) {
    if (token.startsWith("#")) break;
    if (/^(?:\|\|?|&&?|;)$/.test(token)) {
      commands.push(words);
      words = [];
    } else if (/^\d*(?:>>?|<)$/.test(token)) isFile = true;
    else if (isFile) isFile = false;
    else if (words.length > 0 || !SETS.test(token)) words.push(unquote(token));
  }
  return [...commands, words].filter((command) => command.length > 0);
}

/** Operators, and words with their quotes. "<name>" and "<(command)" are words, as are the alternatives in "a|b". */
const TOKEN =
  /#.*|\|\|?(?=\s)|&&|;|\d*>>?(?!\()|<(?=\s)|(?:'[^']*'|"(?:\\.|[^"])*"|\\.|<\([^)]*\)|<[\w-]+>|\$\([^)]*\)|\|(?=\S)|[^\s'"\\;|<>])+|<(?=\S)/g;

/** What stands before the program: variables, words of the shell, and "run:" of a pipeline. */
const SETS = /^(?:[A-Za-z_]\w*=.*|if|then|do|!|exec|time|sudo|-|[\w-]+:)$/;

function unquote(word: string): string {
  return word.replaceAll(/'([^']*)'|"((?:\\.|[^"])*)"|\\(.)/g, (_, single?: string, double?: string, one?: string) => {
    if (single !== undefined) return single;
    return one ?? (double ?? "").replaceAll(/\\(.)/g, "$1");
  });
}
