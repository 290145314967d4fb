import { findNearestName } from "../../model/nearest-name.ts";
import { explainCall, explainFunction } from "./call-hints.ts";
import type { Explanation, FaultyText } from "./explanation.ts";
import { explainField } from "./field-hints.ts";
import { explainSyntax } from "./syntax-hints.ts";

/** Says what an author can do about a fault, and marks the word that is wrong. */
export function explain(faulty: FaultyText): Explanation {
  const { message, start, end } = faulty.fault;
  return (
    explainName(faulty) ??
    explainField(faulty) ??
    explainFunction(faulty) ??
    explainCall(faulty) ??
    explainSyntax(faulty) ?? { message, span: { start, end } }
  );
}

function explainName({ text, fault, names, later }: FaultyText): Explanation | undefined {
  const { message, start, end } = fault;
  const name = /^the name (\S+) is not declared$/.exec(message)?.[1];
  if (name === undefined) return undefined;
  const own = names.map(([known]) => known).filter((known) => !known.startsWith("@"));
  return (
    explainFunction({ text, fault, names, later }) ?? {
      message,
      span: { start, end },
      hint: suggestName(name, own, later),
    }
  );
}

/** What other languages call it. */
const CONSTANTS: Readonly<Record<string, string>> = { None: "null", nil: "null", undefined: "null", True: "true" };

const OF_RISKS = ["objects", "details", "fixes"];

function suggestName(name: string, own: readonly string[], later: readonly string[]): string | undefined {
  if (later.includes(name)) return "it is declared below: move it up";
  if (name === "object") return "object is known in where and index of a read, and in rules with forEach";
  if (OF_RISKS.includes(name) && !own.includes(name))
    return `${name} is known in the message and the remediation of the risk`;
  const nearest = (Object.hasOwn(CONSTANTS, name) ? CONSTANTS[name] : undefined) ?? findNearestName(name, own);
  if (nearest !== undefined) return `did you mean ${nearest}?`;
  if (own.includes("objects"))
    return "the texts of a risk know source, target, update, objects, details and fixes: say this in a finding's message";
  return own.includes("detail")
    ? "a command knows object, path, detail and the update: give the finding a detail with this value"
    : undefined;
}
