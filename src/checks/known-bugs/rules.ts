import { type CheckReads, type DataCheck, buildCheck } from "../../data-checks/build-check.ts";
import type { CheckDefinition } from "../../data-checks/format/definition.ts";
import type { Context, Unknown } from "../../model/check.ts";
import type { ReadResults, Reads } from "../../model/read.ts";
import { CLUSTER_VERSION, type ObjectRef } from "../../model/resource.ts";
import type { BugEntry, BugFinding, KnownBug } from "./known-bug.ts";

/** Does a bug affect the cluster? `objects`: through which; `failed`: the reads for lack of which nobody knows; `unknowns`: what else. */
export type BugDecision =
  | { readonly kind: "yes"; readonly objects: readonly ObjectRef[] }
  | { readonly kind: "no" }
  | { readonly kind: "unknown"; readonly failed: readonly string[]; readonly unknowns: readonly Unknown[] };

/** Lists come and go in a process that reads them again. */
const rulesByBug = new WeakMap<KnownBug, DataCheck>();

/** The reads of a bug, by key. */
export function listReads(bug: KnownBug, context: Context): CheckReads {
  return getRules(bug).follow({}, context);
}

/** They are known without an update, and before anything is compiled. */
export function listPossibleReads(bug: KnownBug): Reads {
  return getRules(bug).mayRead?.() ?? {};
}

/** The results of the reads that succeeded, by key. */
export type BugResults = Partial<ReadResults<CheckReads>>;

/** What is found decides, whatever else could not be read. */
export function decide(bug: KnownBug, context: Context, results: BugResults): BugDecision {
  const { findings = [], unknowns = [], irrelevantReads = [] } = getRules(bug).evaluate({}, context, results);
  if (findings.length > 0) return { kind: "yes", objects: findings.map(({ object }) => object) };
  const failed = Object.keys(listReads(bug, context)).filter((key) => !irrelevantReads.includes(key));
  return failed.length === 0 && unknowns.length === 0 ? { kind: "no" } : { kind: "unknown", failed, unknowns };
}

/** The rules of an entry are those of a check that is data. Each is compiled only if an update needs it. */
function getRules(bug: KnownBug): DataCheck {
  const rules = rulesByBug.get(bug) ?? buildRules(bug);
  rulesByBug.set(bug, rules);
  return rules;
}

function buildRules(bug: KnownBug): DataCheck {
  // A cluster without a kind, as of a capability that is not enabled, has no object with the bug.
  return buildCheck(buildDefinition(bug), { ...bug.limits, unserved: "empty" });
}

/** The entry as a check that is data. Its texts are made elsewhere: they are the same for every object. */
export function buildDefinition({
  id,
  name,
  title,
  url,
  effect = "broken",
  reads,
  variables,
  findings = [{}],
}: Omit<BugEntry, "versions">): CheckDefinition {
  const texts = { title, message: title, remediation: title, url };
  const risk = {
    name,
    effect,
    ...texts,
    findings: findings.map((finding) => ({ ...nameObject(finding), message: title })),
  };
  return {
    metadata: { name: id },
    spec: { title, applies: {}, reads, variables, risks: [risk] },
  };
}

const { apiVersion, kind, name } = CLUSTER_VERSION;
const WHOLE_CLUSTER = JSON.stringify({ apiVersion, kind, name });

function nameObject(finding: BugFinding): BugFinding {
  return finding.forEach === undefined && finding.object === undefined
    ? { ...finding, object: WHOLE_CLUSTER }
    : finding;
}
