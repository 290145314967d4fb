import type { Check, Context, Finding, Judgement, Unknown } from "../../model/check.ts";
import { buildRefKey, formatRef } from "../../model/resource.ts";
import { sortNames, summarizeNames } from "../../model/text.ts";

type Evaluate = (context: Context) => Judgement;

/** Where nobody knows whether the control plane is hosted: what holds in either case, and what holds only in one as unknown. */
export function evaluateInEither(check: Check, context: Context, evaluate: Evaluate): Judgement {
  const { unknownTopology } = context;
  const standalone = evaluate(context);
  if (unknownTopology === undefined) return standalone;
  const hosted = evaluateHosted(check, context, evaluate);
  const open = [...listOnly("unless", standalone, hosted), ...listOnly("if", hosted, standalone)];
  return {
    findings: listShared(standalone.findings, hosted.findings, identify),
    // Those of either are worth knowing; both would say the same twice.
    notices: standalone.notices?.length ? standalone.notices : hosted.notices,
    unknowns: [
      ...(standalone.unknowns ?? []),
      ...(hosted.unknowns ?? []),
      ...(open.length === 0 ? [] : [unknownTopology, ...open]),
    ],
    irrelevantReads:
      hosted.notApplicable === undefined
        ? listShared(standalone.irrelevantReads, hosted.irrelevantReads, (key) => key)
        : standalone.irrelevantReads,
    notApplicable: hosted.notApplicable && standalone.notApplicable,
    special: standalone.special,
  };
}

function evaluateHosted({ hosted }: Check, context: Context, evaluate: Evaluate): Judgement {
  if (hosted?.notApplicable !== undefined) return { notApplicable: hosted.notApplicable };
  return evaluate({ ...context, isHosted: true });
}

function listShared<T>(some: readonly T[] = [], others: readonly T[] = [], toKey: (one: T) => string): readonly T[] {
  const keys = new Set(others.map(toKey));
  return some.filter((one) => keys.has(toKey(one)));
}

function identify({ risk, object, path = "" }: Finding): string {
  return JSON.stringify([risk, buildRefKey(object), path]);
}

/** The risks that only one of the two has. Not as part of why nobody knows, which may be a missing right, of which an output says no more. */
function listOnly(
  when: "if" | "unless",
  { findings = [] }: Judgement,
  { findings: others = [] }: Judgement,
): readonly Unknown[] {
  const shared = new Set(others.map(identify));
  const byRisk = Map.groupBy(
    findings.filter((finding) => !shared.has(identify(finding))),
    ({ risk }) => risk,
  );
  return [...byRisk].map(([where, ofRisk]) => {
    const objects = summarizeNames(sortNames(ofRisk.map(({ object }) => formatRef(object))));
    return { reason: "NotReported", where, message: `it applies to ${objects} ${when} the control plane is hosted` };
  });
}
