import type { Span } from "../../schema/cel/index.ts";
import type { DocumentPlace, PlacedFault } from "../fault.ts";
import { type Template, type TemplatePart, buildTemplate, compileTemplate } from "../template.ts";
import { type Compilation, type NameScope, buildFault, trace, use } from "./expressions.ts";
import { openGuards } from "./guards.ts";
import { declare } from "./names.ts";
import { dependsOnTime } from "./times.ts";

export function compileText(compilation: Compilation, scope: NameScope, place: DocumentPlace, text: string): Template {
  const template = compileTemplate(text, declare(scope.names, compilation.isSound));
  if (template.kind === "fault") {
    compilation.faults.push(buildFault(place, text, template, scope));
    return buildTemplate([]);
  }
  const parts = template.parts.filter((part) => typeof part !== "string");
  if (compilation.isSound) {
    for (const { syntax } of parts) use(compilation, trace(compilation, scope, place, syntax, undefined), place);
    return template;
  }
  for (const part of parts) compileTextPart(compilation, scope, place, part);
  compilation.warnings.push(...findPlaceholderWarnings(place, text));
  return template;
}

/** Positions of faults are those in the text. */
function compileTextPart(compilation: Compilation, scope: NameScope, place: DocumentPlace, part: TemplatePart): void {
  const { faults, warnings } = compilation;
  const own: Compilation = { ...compilation, faults: [], warnings: [] };
  const guards = openGuards(scope.tested);
  use(own, trace(own, scope, place, part.syntax, guards), place);
  if (dependsOnTime(part.syntax, scope.timed ?? new Set())) own.faults.push(buildTimeFault(place, part.syntax));
  const shift = ({ span, ...fault }: PlacedFault): PlacedFault =>
    span === undefined ? fault : { ...fault, span: { start: part.start + span.start, end: part.start + span.end } };
  faults.push(...own.faults.map(shift));
  warnings.push(...guards.listWarnings(place).map(shift));
}

/** As other tools write them. In a command they may be the command's own. */
function findPlaceholderWarnings(place: DocumentPlace, text: string): readonly PlacedFault[] {
  const found = place.at(-1) === "run" ? null : /\{\{.*?\}\}/.exec(text);
  if (found === null) return [];
  const span = { start: found.index, end: found.index + found[0].length };
  return [{ severity: "warning", place, message: "{{ }} is printed as it is", hint: "write ${...}", span }];
}

function buildTimeFault(place: DocumentPlace, { start, end }: Span): PlacedFault {
  return {
    severity: "error",
    place,
    message: "this text changes with the time, though the cluster stays the same",
    hint: "now may decide in when; in the text, name the date itself",
    span: { start, end },
  };
}
