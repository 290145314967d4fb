import { type Json, isList, isObject } from "../../model/json.ts";
import type { Path } from "./known-bug.ts";

type Step = { readonly kind: "key"; readonly key: string } | { readonly kind: "each" | "keys" | "last" };

const STEP = /^\.?(?:"(?<quoted>[^"]+)"|(?<plain>[^."[\]]+)|\[(?<index>-1|keys)?\])/;

/** Each path is parsed once, and not for every object. */
const stepsByPath = new Map<Path, readonly Step[]>();

/** Throws if the path is malformed: a mistake in the table, which its test finds. */
export function getSteps(path: Path): readonly Step[] {
  const cached = stepsByPath.get(path);
  if (cached) return cached;
  const steps = parsePath(path);
  stepsByPath.set(path, steps);
  return steps;
}

function parsePath(path: Path): readonly Step[] {
  const steps: Step[] = [];
  for (let rest = path; rest !== "";) {
    const match = STEP.exec(rest);
    if (!match) throw new Error(`${path} is not a path`);
    steps.push(parseStep(match.groups ?? {}));
    rest = rest.slice(match[0].length);
  }
  return steps;
}

function parseStep(groups: Readonly<Record<string, string | undefined>>): Step {
  const key = groups["quoted"] ?? groups["plain"];
  if (key !== undefined) return { kind: "key", key };
  const { index } = groups;
  if (index === undefined) return { kind: "each" };
  return { kind: index === "keys" ? "keys" : "last" };
}

/** Every value at a path; null counts as absent, as the API server drops it. */
export function valuesAt(value: Json, path: Path): readonly Json[] {
  let here: readonly Json[] = [value];
  for (const step of getSteps(path)) here = here.flatMap((one) => applyStep(one, step));
  return here.filter((one) => one !== null);
}

function applyStep(value: Json, step: Step): readonly Json[] {
  if (step.kind === "key") return isObject(value) ? selectMember(value, step.key) : [];
  if (step.kind === "last") return isList(value) ? value.slice(-1) : [];
  if (step.kind === "keys") return isObject(value) ? Object.keys(value) : [];
  if (isList(value)) return value;
  return isObject(value) ? Object.values(value) : [];
}

function selectMember(value: Readonly<Record<string, Json>>, key: string): readonly Json[] {
  const member = Object.hasOwn(value, key) ? value[key] : undefined;
  return member === undefined ? [] : [member];
}
