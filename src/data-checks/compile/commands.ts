import { findNearestName } from "../../model/nearest-name.ts";
import { defined } from "../../model/optional.ts";
import type { CommandRule, RiskDefinition } from "../definition.ts";
import type { DocumentPlace, PlacedFault } from "../fault.ts";

/** What is wrong with the words of a risk's commands. */
export function findCommandFaults(risk: RiskDefinition, place: DocumentPlace): readonly PlacedFault[] {
  const details = new Set(risk.findings.flatMap(({ detail = {} }) => Object.keys(detail)));
  return (["see", "fix"] as const).flatMap((list) =>
    (risk[list] ?? []).flatMap((command, i) => findFaults(command, [...place, list, i], details)),
  );
}

function findFaults(
  { when, run }: CommandRule,
  place: DocumentPlace,
  details: ReadonlySet<string>,
): readonly PlacedFault[] {
  const texts = Object.entries(defined({ when, run }));
  return [
    ...texts.flatMap(([field, text]) => findUnknownDetails(text, [...place, field], details)),
    ...(run === undefined ? [] : findShellFaults(run, [...place, "run"])),
  ];
}

/** A command whose detail no finding has is never printed. */
function findUnknownDetails(text: string, place: DocumentPlace, details: ReadonlySet<string>): readonly PlacedFault[] {
  const named = [...text.matchAll(/(?<![\w.])detail\.\??([A-Za-z_]\w*)/g)];
  return named.flatMap(({ 0: whole, 1: name = "", index }): readonly PlacedFault[] => {
    if (details.has(name)) return [];
    const end = index + whole.length;
    const nearest = findNearestName(name, [...details]);
    const hint = nearest === undefined ? "add it to the finding's detail" : `did you mean ${nearest}?`;
    const message = `no finding of this risk has the detail ${name}`;
    return [{ severity: "error", place, message, hint, span: { start: end - name.length, end } }];
  });
}

/** What a shell does with more than one command, outside of quotes. */
function findShellFaults(run: string, place: DocumentPlace): readonly PlacedFault[] {
  const plain = run
    .replaceAll(/\$\{[^}]*\}/g, (part) => "_".repeat(part.length))
    .replaceAll(/'[^']*'/g, (part) => "_".repeat(part.length));
  const outside = plain.replaceAll(/"[^"$`]*"|<[A-Za-z][\w -]*>/g, (part) => "_".repeat(part.length));
  const found = /[|;&<>`\n]|\$\(/.exec(outside);
  if (found === null) return [];
  const span = { start: found.index, end: found.index + found[0].length };
  const message = "a command to copy is one command, without pipes, redirection or substitution";
  return [{ severity: "error", place, message, ...defined({ hint: "write a command for each step" }), span }];
}
