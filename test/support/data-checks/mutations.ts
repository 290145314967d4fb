import { type Mutation, findOpposite, isExpression, listTexts } from "../../../src/cli/commands/checks/undecided.ts";
import type { Json } from "../../../src/model/json.ts";
import { type Token, findClosingBrace, tokenize } from "../../../src/schema/cel/index.ts";

/** Each operator, word and literal of every expression of a check's document, those in its texts too. */
export function listAllMutations(document: Json): readonly Mutation[] {
  return listTexts(document, []).flatMap(({ place, text }) =>
    (isExpression(place) ? [{ start: 0, end: text.length }] : listParts(text)).flatMap((part) =>
      listOfPart(text.slice(part.start, part.end)).map(({ start, end, instead }) => ({
        place,
        expression: text,
        start: part.start + start,
        end: part.start + end,
        instead,
      })),
    ),
  );
}

type Part = { readonly start: number; readonly end: number };

/** Where expressions stand in a text. */
function listParts(text: string): readonly Part[] {
  const start = text.indexOf("${") + 2;
  const end = start < 2 ? undefined : findClosingBrace(text, start);
  if (end === undefined) return [];
  const later = listParts(text.slice(end)).map((part) => ({ start: part.start + end, end: part.end + end }));
  return [{ start, end }, ...later];
}

function listOfPart(expression: string): readonly (Part & { readonly instead: string })[] {
  const tokens = tokenize(expression);
  return tokens.flatMap((token, i) => {
    const instead = findOpposite(token, tokens[i - 1], tokens[i + 1]) ?? changeLiteral(token);
    return instead === undefined || isDefault(tokens, i) ? [] : [{ start: token.start, end: token.end, instead }];
  });
}

/** `orValue("")`: any text that is nowhere would do. */
function isDefault(tokens: readonly Token[], i: number): boolean {
  return tokens[i]?.text === '""' && tokens[i - 2]?.text === "orValue";
}

/** Another text, or the next number. */
function changeLiteral({ kind, text }: Token): string | undefined {
  if (kind === "string") return `${text.slice(0, -1)}~${text.slice(-1)}`;
  return /^\d+$/.test(text) ? String(Number(text) + 1) : undefined;
}
