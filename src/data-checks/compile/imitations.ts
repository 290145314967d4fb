import { parseMark } from "../../model/cluster-version-risks.ts";
import type { CheckDefinition } from "../format/definition.ts";
import { type DocumentPlace, type PlacedFault, listTexts } from "../format/fault.ts";
import { VALUE } from "./shell-words.ts";
import { COMMAND_LABEL, splitTemplate } from "./template.ts";

/** Texts of others that could be taken for words of preflight's: lines of their own, and what says whose a check is. */
export function findImitations({
  spec: { title, seenAfterUpdate = "", ...rules },
}: CheckDefinition): readonly PlacedFault[] {
  const { notApplicable = [], risks = [], notices = [], unknowns = [] } = rules;
  const texts = listTexts({ title, seenAfterUpdate, notApplicable, risks, notices, unknowns }, ["spec"]);
  return texts
    .filter(({ place }) => FIELDS.includes(String(place.at(-1))) && !COMMANDS.includes(String(place[3])))
    .flatMap(({ place, text }) => judgeText(place, dropExpressions(text).trimEnd()));
}

const FIELDS = ["title", "seenAfterUpdate", "reason", "message", "remediation", "where", "path"];
/** Formats show a path as code: other words, such as those of a command, are none. */
export const PATH = /^(?:[^\s[]|\[[^\]]*\])*$/;
/** What those write is for programs. */
const COMMANDS = ["see", "fix"];

/** In the place of an expression, whose lines are nobody's, stands a character. */
function dropExpressions(text: string): string {
  return splitTemplate(text)
    .map((part) => (typeof part === "string" ? part : VALUE))
    .join("");
}

/** Letters of other alphabets that look like those of the words below, and arrows. */
const LOOK_ALIKES: Readonly<Record<string, string>> = Object.fromEntries(
  ["аa", "еe", "оo", "рp", "сc", "іi", "ѕs", "тt", "мm", "гr", "һh", "ԁd", "ғf", "οo", "αa", "ιi", "ρp", "→->"].map(
    (pair) => [pair.slice(0, 1), pair.slice(1)] as const,
  ),
);

/** As a reader sees it. */
function simplify(text: string): string {
  const shown = text.normalize("NFKC").replaceAll(/\p{Default_Ignorable_Code_Point}/gu, "");
  return [...shown].map((character) => LOOK_ALIKES[character.toLowerCase()] ?? character).join("");
}

const SOURCE = String.raw`from\s+(?:\w+\s+){0,2}(?:release\s+\S*[\d\uFFFC]\S*|operator\s+\S+\s+\S*[\d\uFFFC]\S*|administrator\S*(?:\s+check\s+\S+)?|list\s+of\s+known\s+bugs[^:)]*|preflight|--checks)`;
/** What stands before a text, and what stood behind it. */
const IMITATION = new RegExp(String.raw`^[^\p{L}]*${SOURCE}\W*[:)\]}]|[([{]\s*${SOURCE}(?:\s+[\d.]+)?\W*[:)\]}]`, "iu");

function judgeText(place: DocumentPlace, text: string): readonly PlacedFault[] {
  const fault = (message: string, hint: string): readonly PlacedFault[] => [
    { severity: "error", place, message, hint },
  ];
  if (/[\n\r\u2028\u2029]/.test(text)) return fault("a text has no line breaks", "write it below >-");
  if (place.at(-1) === "path" && typeof place.at(-2) === "number" && !PATH.test(text))
    return fault("a path has no spaces outside of brackets", "say it in the message");
  const shown = simplify(text);
  if (shown.search(COMMAND_LABEL) >= 0) return fault("it reads as the label of a command", "say it in other words");
  if (!IMITATION.test(shown) && parseMark(shown) === undefined) return [];
  return fault(
    "it reads as what preflight says of whose check this is",
    "leave that out: preflight says it before each text",
  );
}
