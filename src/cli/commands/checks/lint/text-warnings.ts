import type { CheckDefinition } from "../../../../data-checks/definition.ts";
import type { CheckText, CheckFault, DocumentPlace, PlacedFault } from "../../../../data-checks/fault.ts";
import { parseChecks } from "../../../../data-checks/format/parse.ts";
import { findLongSentences } from "../../../../data-checks/sentences.ts";

/** What people may stumble over in the texts of sound checks. */
export async function listTextWarnings(text: CheckText): Promise<readonly CheckFault[]> {
  const { checks } = await parseChecks(text);
  return checks.flatMap(({ definition, locate }) =>
    definition === undefined
      ? []
      : [...listTitles(definition).flatMap(judgeTitle), ...listSentences(definition).flatMap(judgeSentence)].map(
          locate,
        ),
  );
}

type PlacedText = { readonly place: DocumentPlace; readonly text: string };

function listTitles({ spec }: CheckDefinition): readonly PlacedText[] {
  const { title, risks = [] } = spec;
  const ofRisks = risks.map((risk, i) => ({ place: ["spec", "risks", i, "title"], text: risk.title }));
  return [{ place: ["spec", "title"], text: title }, ...ofRisks];
}

/** Titles stand in tables and lists. */
function judgeTitle({ place, text }: PlacedText): readonly PlacedFault[] {
  const message = "a title has no full stop";
  const span = { start: text.length - 1, end: text.length };
  return /[.!]$/.test(text) ? [{ severity: "warning", place, message, hint: "leave it out", span }] : [];
}

function listSentences({ spec }: CheckDefinition): readonly PlacedText[] {
  const { risks = [], notices = [] } = spec;
  return [
    ...risks.flatMap(({ message, remediation, findings }, i) => [
      { place: ["spec", "risks", i, "message"], text: message },
      { place: ["spec", "risks", i, "remediation"], text: remediation },
      ...findings.map((one, k) => ({ place: ["spec", "risks", i, "findings", k, "message"], text: one.message })),
    ]),
    ...notices.map(({ message }, i) => ({ place: ["spec", "notices", i, "message"], text: message })),
  ];
}

/** A command at the end, which is copied, has no full stop behind it. */
const WHOLE = /[.!?]"?$|\b(?:oc|kubectl) [^.]*$/;

function judgeSentence({ place, text }: PlacedText): readonly PlacedFault[] {
  const warn = (message: string, part: string, start = Math.max(text.indexOf(part), 0)): PlacedFault => ({
    severity: "warning",
    place,
    message,
    span: { start, end: start + part.length },
  });
  // A value in a text may be a list of names: it counts as one word.
  const plain = text.replaceAll(/\$\{[^}]*\}/g, "…");
  const end = /\S+$/.exec(text)?.[0] ?? text;
  const please = /\bplease\b/i.exec(text)?.[0];
  return [
    ...findLongSentences(plain).map((sentence) => {
      const [first = ""] = sentence.split("…");
      return warn("this sentence has more than 25 words: make it two", first.trimEnd());
    }),
    ...(please === undefined ? [] : [warn("people read this at work: say what to do, without please", please)]),
    ...(WHOLE.test(text) ? [] : [warn("it does not end as a sentence does", end, text.length - end.length)]),
  ];
}
