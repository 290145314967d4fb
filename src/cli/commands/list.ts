import { checks } from "../../checks/index.ts";
import { joinSome } from "../../model/names.ts";
import type { Applies, Check, RiskText } from "../../model/check.ts";
import { readPath } from "../../runner/gather.ts";
import { unknownName } from "../../model/check.ts";
import type { Arguments } from "../arguments.ts";
import { columns } from "../columns.ts";
import type { Io } from "../io.ts";
import { readsOf } from "../rbac.ts";

export async function list(args: Arguments, io: Io): Promise<number> {
  io.out(args.text("output") === "json" ? `${JSON.stringify(checks.map(describeCheck), undefined, 2)}\n` : table());
  return 0;
}

/** When a check speaks, in words. */
export function appliesText(applies: Applies): string {
  if (applies.kind === "crosses") return `updates into or past ${applies.minor}`;
  if (applies.kind === "leavesMinor") return "updates to another minor";
  const words = { patch: "patch updates", minor: "updates to later minors", rollback: "rollbacks" };
  return applies.kinds.map((kind) => words[kind]).join(", ");
}

/** All that follows from a check's metadata, for `list -o json` and the generated pages. */
export function describeCheck(check: Check) {
  const risks = check.risks.map(({ name, title, url, remediation, liftedAs, published }) => ({
    name,
    title,
    url,
    remediation,
    ...(liftedAs === undefined ? {} : { liftedAs }),
    ...(published === undefined ? {} : { published }),
  }));
  return {
    id: check.id,
    title: check.title,
    applies: appliesText(check.applies),
    portable: check.portable === true,
    risks,
    unknownRisk: unknownName(check),
    reads: readsOf(check).map(readPath).toSorted(),
    readsKindsOfTarget: check.followedKinds !== undefined,
    needsManifests: check.needsManifests,
    ...(check.onRequest === undefined ? {} : { onRequest: check.onRequest }),
  };
}

function titleOf({ title, onRequest }: Check): string {
  return onRequest === undefined ? title : `${title} (only with --only)`;
}

/** Where a check says something. */
export function platformsText({ portable }: Pick<Check, "portable">): string {
  return portable ? "OpenShift, Kubernetes" : "OpenShift";
}

/** A star where the running operator lifts the same, a plus where the update service knows the same. */
function marked({ name, liftedAs, published }: RiskText): string {
  return `${name}${liftedAs === undefined ? "" : "*"}${published === undefined ? "" : "+"}`;
}

/** A table of faults has a hundred of them. */
const MOST_NAMED = 10;

function riskNames({ risks }: Check): string {
  return risks.length > MOST_NAMED ? joinSome(risks.map(marked)) : risks.map(marked).join(", ");
}

const LEGEND = [
  "*  The cluster-version operator of the running release may lift the same by itself: see --lifted.",
  "+  The update service has a name of its own for the same.",
  "Those names, and all else about a check: preflight explain CHECK.",
];

function table(): string {
  const rows = checks.map((check) => [check.id, titleOf(check), platformsText(check), riskNames(check)]);
  const header = ["CHECK", "WHAT IT HOLDS THE CLUSTER TO", "RUNS ON", "RISKS"];
  return `${[columns([header, ...rows], ""), "", ...LEGEND].join("\n")}\n`;
}
