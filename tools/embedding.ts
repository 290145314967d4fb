// How the program stands in the executable: behind the launcher, in a comment, which V8 passes over without parsing it. See src/cli/launcher.

/** What stands in the comment for the characters that would end it. */
export const ESCAPED_END = "*\u0001/";
/** What stands in the launcher for the positions of the program's begin and end and for its first line, until these are known. */
export const PLACE = "where the program stands";

const WRAPPER = "(function (exports, require, module, __filename, __dirname) {\n";
const BEFORE = "\n/*\n";
const AFTER = "\n*/\n";

/** As a function of what Node gives to a module. ASCII alone, which V8 reads faster. */
function wrap(program: string): string {
  if (program.includes(ESCAPED_END)) throw new Error("the program has what stands for the end of a comment");
  const ascii = program.replaceAll(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
  return `${WRAPPER}${ascii.trimEnd()}\n})`;
}

/** The executable, and how many of its lines come before the program's own. */
export function embedProgram(
  launcher: string,
  program: string,
): { readonly text: string; readonly linesBefore: number } {
  const escaped = wrap(program).replaceAll("*/", ESCAPED_END);
  // It is read byte by byte: a longer character would move all that follows.
  if (/[^\0-\x7f]/.test(launcher)) throw new Error("the launcher has a character that is not ASCII");
  const before = launcher.trimEnd() + BEFORE;
  const lines = before.split("\n").length - 1;
  const place = `${before.length} ${before.length + escaped.length} ${lines}`.padEnd(PLACE.length);
  const text = `${before.replace(PLACE, place)}${escaped}${AFTER}//# sourceMappingURL=preflight.map\n`;
  return { text, linesBefore: lines + 1 };
}

/** The launcher and the program of an executable. */
export function splitExecutable(text: string): { readonly launcher: string; readonly program: string } {
  const begin = text.indexOf(BEFORE + WRAPPER);
  const program = text.slice(begin + BEFORE.length, text.lastIndexOf(AFTER));
  return { launcher: `${text.slice(0, begin).replace(/^#!.*/, "")}\n`, program: program.replaceAll(ESCAPED_END, "*/") };
}
