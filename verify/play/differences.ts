import { formatCanonicalJson } from "../../src/model/json.ts";
import type { ComparedObject } from "./compare.ts";
import { explainDifference } from "./known-differences.ts";
import type { PlayedCrd } from "./played-crd.ts";
import type { PlayResult } from "./play-result.ts";
import type { ObjectFate } from "./truth.ts";

export type DifferenceKind = "missed" | "false alarm" | "wrong effect" | "not played";

/** Where what was said and what happened part, by name. */
export type PlayedDifference = {
  readonly kind: DifferenceKind;
  /** The same for differences with probably one cause. */
  readonly signature: string;
  readonly crd: PlayedCrd | undefined;
  readonly object: string;
  readonly text: string;
  /** Of an object, what was compared. */
  readonly comparison?: ComparedObject;
};

/** `reason`: why it is no fault of preflight, if there is one. */
export type ExplainedDifference = PlayedDifference & { readonly reason: string | undefined };

export function listDifferences(result: PlayResult): readonly ExplainedDifference[] {
  return collect(result).map((one) => ({ ...one, reason: explainDifference(one, result) }));
}

function collect({ comparisons, unlistable, definitions, faults }: PlayResult): readonly PlayedDifference[] {
  return [
    ...comparisons.flatMap(describeComparison),
    ...describeLists(comparisons, unlistable),
    ...definitions.missed.map(({ risk, object }) => describeFate("missed", risk, object)),
    ...definitions.alarms.map(({ risk, object }) => describeFate("false alarm", risk, object)),
    ...faults.flatMap(({ fault, applies, difference: { missed, alarms } }) => [
      ...missed.map(({ risk, object }) => describeFate("missed", `${fault.check} ${risk}`, object)),
      ...alarms.map(({ risk, object }) => describeFate("false alarm", `${fault.check} ${risk}`, object)),
      ...(applies !== true && / failed: /.test(applies)
        ? [describeFate("not played", `${fault.check}: ${applies}`, fault.name)]
        : []),
    ]),
  ];
}

function describeComparison(comparison: ComparedObject): readonly PlayedDifference[] {
  const { verdict, crd, object, version, said, happened } = comparison;
  if (verdict === "agreed") return [];
  const text = `through ${version}, said ${formatFate(said)}, happened ${formatFate(happened)}${happened.message === "" ? "" : ` ("${happened.message}")`}`;
  const signature = `${verdict} ${crd.name} ${said.effect} ${happened.effect} ${crd.changes.join()}`;
  return [{ kind: verdict, signature, crd, object, text, comparison }];
}

/** An object that can't be read takes the list of its kind with it. */
function describeLists(
  comparisons: readonly ComparedObject[],
  unlistable: ReadonlySet<PlayedCrd>,
): readonly PlayedDifference[] {
  const unreadable = new Set(comparisons.filter(({ said }) => said.effect === "unreadable").map(({ crd }) => crd));
  return [
    ...[...unlistable]
      .filter((crd) => !unreadable.has(crd))
      .map(({ name }) => describeFate("missed", "its list fails", name)),
    ...[...unreadable]
      .filter((crd) => !unlistable.has(crd))
      .map(({ name }) => describeFate("false alarm", "its list passes", name)),
  ];
}

function describeFate(kind: DifferenceKind, risk: string, object: string): PlayedDifference {
  return { kind, signature: `${kind} ${risk} ${object}`, crd: undefined, object, text: risk };
}

function formatFate({ effect, refused, dropped, isScaleRefused }: ObjectFate): string {
  const parts = [
    effect,
    ...(isScaleRefused ? ["and of scaling"] : []),
    ...(refused.length > 0 ? [`of ${refused.join(", ")}`] : []),
    ...(dropped.length > 0 ? [`without ${dropped.join(", ")}`] : []),
  ];
  return parts.join(" ");
}

/** The object with which a difference can be played again. */
export function formatCase({ crd, body }: ComparedObject): string {
  const { metadata: _metadata, ...rest } = body;
  return `${crd.name} (${crd.changes.join(", ")}): ${formatCanonicalJson(rest)}`;
}
