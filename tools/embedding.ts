// How the program stands in the executable: behind the launcher, in a comment, which V8 passes over without parsing it. See src/cli/launcher.

/** What stands in the comment for the characters that would end it. */
export const ESCAPED_END = "*\u0001/";
/** What stands in the launcher for the program's first line, until it is known. */
export const PLACE = "where the program stands";

const WRAPPER = "(function (exports, require, module, __filename, __dirname) {\n";
// The launcher takes the text from the function, which Node has read already.
const BEFORE = "\nfunction preflightProgram() {/*\n";
const AFTER = "\n*/}\n";

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
  // One such character, and V8 would need twice the memory for the text.
  if (/[^\0-\x7f]/.test(launcher)) throw new Error("the launcher has a character that is not ASCII");
  const before = launcher.trimEnd() + BEFORE;
  const lines = before.split("\n").length - 1;
  const text = `${before.replace(PLACE, `${lines}`)}${escaped}${AFTER}//# sourceMappingURL=preflight.map\n`;
  return { text, linesBefore: lines + 1 };
}

/** The launcher and the program of an executable. */
export function splitExecutable(text: string): { readonly launcher: string; readonly program: string } {
  const begin = text.indexOf(BEFORE + WRAPPER);
  const program = text.slice(begin + BEFORE.length, text.lastIndexOf(AFTER));
  return { launcher: `${text.slice(0, begin).replace(/^#!.*/, "")}\n`, program: program.replaceAll(ESCAPED_END, "*/") };
}
