import { type Json, isList, isObject } from "../../model/json.ts";
import type { Path } from "./vocabulary.ts";

type Step = { readonly kind: "key"; readonly key: string } | { readonly kind: "each" | "keys" | "last" };

const STEP = /^\.?(?:"(?<quoted>[^"]+)"|(?<plain>[^."[\]]+)|\[(?<index>-1|keys)?\])/;

/** A table's path is parsed once, not once an object. */
const parsed = new Map<Path, readonly Step[]>();

/** Throws where a path is none: the table's own fault, which its test finds. */
export function stepsOf(path: Path): readonly Step[] {
  const known = parsed.get(path);
  if (known) return known;
  const steps = parse(path);
  parsed.set(path, steps);
  return steps;
}

function parse(path: Path): readonly Step[] {
  const steps: Step[] = [];
  for (let rest = path; rest !== "";) {
    const found = STEP.exec(rest);
    if (!found) throw new Error(`${path} is no path`);
    steps.push(stepOf(found.groups ?? {}));
    rest = rest.slice(found[0].length);
  }
  return steps;
}

function stepOf(groups: Readonly<Record<string, string | undefined>>): Step {
  const key = groups["quoted"] ?? groups["plain"];
  if (key !== undefined) return { kind: "key", key };
  const { index } = groups;
  if (index === undefined) return { kind: "each" };
  return { kind: index === "keys" ? "keys" : "last" };
}

/** Every value at a path; null counts as absent, as the API server drops it. */
export function valuesAt(value: Json, path: Path): readonly Json[] {
  let here: readonly Json[] = [value];
  for (const step of stepsOf(path)) here = here.flatMap((one) => taken(one, step));
  return here.filter((one) => one !== null);
}

function taken(value: Json, step: Step): readonly Json[] {
  if (step.kind === "key") return isObject(value) ? memberOf(value, step.key) : [];
  if (step.kind === "last") return isList(value) ? value.slice(-1) : [];
  if (step.kind === "keys") return isObject(value) ? Object.keys(value) : [];
  if (isList(value)) return value;
  return isObject(value) ? Object.values(value) : [];
}

function memberOf(value: Readonly<Record<string, Json>>, key: string): readonly Json[] {
  const member = Object.hasOwn(value, key) ? value[key] : undefined;
  return member === undefined ? [] : [member];
}
