/** The tokens of a CEL expression that matter for finding names: comments, strings, quoted names, names, numbers, other characters. */
const TOKEN = new RegExp(
  [
    "\\s+|//[^\\n]*",
    '[rRbB]{0,2}"""', // A long string's beginning; its end is sought by hand.
    "[rRbB]{0,2}'''",
    "[bB]?[rR][bB]?\"[^\"\\n]*\"|[bB]?[rR][bB]?'[^'\\n]*'",
    "[bB]?\"(?:[^\"\\\\\\n]|\\\\.)*\"|[bB]?'(?:[^'\\\\\\n]|\\\\.)*'",
    "`[^`\\n]*`",
    "[A-Za-z_][A-Za-z0-9_]*",
    "[0-9][0-9A-Za-z_.]*",
    "[^]",
  ].join("|"),
  "y",
);

/** Does the expression use the name as a variable: not in a string or a comment, nor as a field (`x.name`, `Type{name: 1}`)? */
export function usesVariable(expression: string, name: string): boolean {
  const tokens = tokenize(expression);
  return tokens.some((token, i) => token === name && !isFieldName(tokens, i));
}

/** After a value a dot selects a field; at the beginning of an expression it only says that the name is a global one. */
function isFieldName(tokens: readonly string[], place: number): boolean {
  const dot = tokens[place - 1] === "?" ? place - 2 : place - 1;
  if (tokens[dot] !== ".") return false;
  return /[A-Za-z0-9_)\]}"'`]$/.test(tokens[dot - 1] ?? "");
}

function tokenize(expression: string): readonly string[] {
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < expression.length) {
    const start = TOKEN.lastIndex;
    const token = TOKEN.exec(expression)?.[0] ?? "";
    if (token === "") return tokens;
    if (token.endsWith('"""') || token.endsWith("'''")) TOKEN.lastIndex = findLongStringEnd(expression, start, token);
    if (!/^(?:\s|\/\/)/.test(token)) tokens.push(token);
  }
  return tokens;
}

function findLongStringEnd(expression: string, start: number, opening: string): number {
  const quote = opening.slice(-3);
  const raw = /^[bB]?[rR]/.test(opening);
  for (let i = start + opening.length; i < expression.length; i++) {
    if (expression[i] === "\\" && !raw) i++;
    else if (expression.startsWith(quote, i)) return i + 3;
  }
  return expression.length;
}
