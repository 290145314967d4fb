import { type CaseText, buildTarget } from "../../src/cases/parser.ts";
import { patchValue } from "../../src/cases/patch.ts";
import { type Json, type JsonObject, at, isList, isObject, textAt } from "../../src/model/json.ts";

/** A step that a risk's text names, and what is so once it is done. */
export type Remedy = {
  readonly risk: string;
  /** Why the risk has no command that removes its fault. */
  readonly noCommand?: string;
  /** The step, in words that a report prints. */
  readonly says?: string;
  /** Why neither the cluster nor another target shows that the step is done. */
  readonly why?: string;
  /** JSON patches (RFC 6902) of the cluster by API path. */
  readonly patches: Readonly<Record<string, readonly JsonObject[]>>;
  /** If the step is another target: what is read of it. */
  readonly target?: Pick<CaseText, "release" | "image">;
};

/** How a case is rid of its risks: each way by itself is enough. */
export function listRemedies({ remedies, target }: Pick<CaseText, "remedies" | "target">): readonly Remedy[] {
  return Object.entries(remedies).flatMap(([risk, value]) =>
    (isList(value) ? value : [value]).map((one) => parseRemedy(risk, one, target)),
  );
}

function parseRemedy(risk: string, remedy: Json, before: Json | undefined): Remedy {
  const patches = Object.entries(requireObject(at(remedy, "patches") ?? {}));
  const target = at(remedy, "target");
  return {
    risk,
    noCommand: textAt(remedy, "noCommand"),
    says: textAt(remedy, "says"),
    why: textAt(remedy, "why"),
    patches: Object.fromEntries(patches.map(([path, list]) => [path, requireList(list).map(requireObject)])),
    ...(target === undefined ? {} : { target: buildTarget(patchValue(before, target)) }),
  };
}

function requireObject(value: Json): JsonObject {
  if (!isObject(value)) throw new Error("remedies: patches hold a list of operations for each API path");
  return value;
}

function requireList(value: Json): readonly Json[] {
  if (!isList(value)) throw new Error("remedies: patches hold a list of operations for each API path");
  return value;
}
