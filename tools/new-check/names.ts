/** The forms of a check's name: "my-check", "myCheck", "MyCheck". */
export type CheckNames = { readonly id: string; readonly variable: string; readonly name: string };

const ID = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/;
const MAX_LENGTH = 40;
/** Reserved words, and the name that src/checks/index.ts already uses. */
const RESERVED_WORDS = new Set(
  (
    "await break case catch checks class const continue debugger default delete do else enum export extends false finally for " +
    "function if implements import in instanceof interface let new null package private protected public return static super " +
    "switch this throw true try typeof var void while with yield"
  ).split(" "),
);

/** The names of a check, or one line that explains why the id is refused. */
export function buildCheckNames(id: string): CheckNames | { readonly refused: string } {
  if (!ID.test(id) || id.length > MAX_LENGTH)
    return {
      refused: `"${id}" is not a valid id: use lowercase letters, digits and hyphens, such as kubelet-skew`,
    };
  if (RESERVED_WORDS.has(id)) return { refused: `"${id}" is a reserved word: choose an id of two words` };
  const name = id
    .split("-")
    .map((word) => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`)
    .join("");
  return { id, name, variable: `${name.slice(0, 1).toLowerCase()}${name.slice(1)}` };
}
