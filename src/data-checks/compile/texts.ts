import type { Span } from "../../schema/cel/index.ts";
import type { DocumentPlace, PlacedFault } from "../fault.ts";
import { type Template, type TemplatePart, buildTemplate, compileTemplate } from "../template.ts";
import { type Site, explainFault, refuse, trace, use } from "./expressions.ts";
import { openGuards } from "./guards.ts";
import { declare } from "./names.ts";
import { dependsOnTime } from "./times.ts";

export function compileText(site: Site, text: string): Template {
  const { compilation, scope, place } = site;
  const template = compileTemplate(text, declare(scope.names, compilation.isSound));
  if (template.kind === "fault") {
    explainFault(site, text, template);
    return buildTemplate([]);
  }
  const parts = template.parts.filter((part) => typeof part !== "string");
  if (compilation.isSound) {
    for (const { syntax } of parts) use(site, trace(site, syntax, undefined));
    return template;
  }
  for (const part of parts) compileTextPart(site, part);
  compilation.warnings.push(...findPlaceholderWarnings(place, text));
  return template;
}

/** Positions of faults are those in the text. */
function compileTextPart({ compilation, scope, place }: Site, part: TemplatePart): void {
  const faults: PlacedFault[] = [];
  const own: Site = { compilation: { ...compilation, faults }, scope, place };
  const guards = openGuards(scope.tested);
  use(own, trace(own, part.syntax, guards));
  if (dependsOnTime(part.syntax, scope.timed ?? new Set())) refuseTime(own, part.syntax);
  const shift = ({ span, ...fault }: PlacedFault): PlacedFault =>
    span === undefined ? fault : { ...fault, span: { start: part.start + span.start, end: part.start + span.end } };
  compilation.faults.push(...faults.map(shift));
  compilation.warnings.push(...guards.listWarnings(place).map(shift));
}

/** As other tools write them. In a command they may be the command's own. */
function findPlaceholderWarnings(place: DocumentPlace, text: string): readonly PlacedFault[] {
  const found = place.at(-1) === "run" ? null : /\{\{.*?\}\}/.exec(text);
  if (found === null) return [];
  const span = { start: found.index, end: found.index + found[0].length };
  return [{ severity: "warning", place, message: "{{ }} is printed as it is", hint: "write ${...}", span }];
}

function refuseTime(site: Site, { start, end }: Span): void {
  const hint = "now may decide in when; in the text, name the date itself";
  refuse(site, "this text changes with the time, though the cluster stays the same", hint, { start, end });
}
