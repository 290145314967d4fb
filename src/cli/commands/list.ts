import { checks } from "../../checks/index.ts";
import { summarizeNames } from "../../model/names.ts";
import type { Applicability, Check, RiskText } from "../../model/check.ts";
import { getReadPath } from "../../runner/gather.ts";
import { getUnknownRiskName } from "../../model/check.ts";
import type { ListValues } from "../definitions/list.ts";
import { formatColumns } from "../columns.ts";
import type { Io } from "../io.ts";
import { getReads } from "../cluster-role.ts";
import { defined } from "../../model/optional.ts";

export async function run({ output }: ListValues, io: Io): Promise<number> {
  io.out(output === "json" ? `${JSON.stringify(checks.map(describeCheck), undefined, 2)}\n` : formatTable());
  return 0;
}

/** The updates that a check applies to, in words. */
export function formatApplicability(applies: Applicability): string {
  if (applies.kind === "crosses") return `updates into or past ${applies.minor}`;
  if (applies.kind === "leavesMinor") return "updates to another minor";
  const words = { patch: "patch updates", minor: "updates to later minors", rollback: "rollbacks" };
  return applies.kinds.map((kind) => words[kind]).join(", ");
}

/** A check's metadata, for `list -o json` and the generated pages. */
export function describeCheck(check: Check) {
  const risks = check.risks.map(({ name, title, url, remediation, liftedAs, published }) => ({
    name,
    title,
    url,
    remediation,
    ...defined({ liftedAs, published }),
  }));
  return {
    id: check.id,
    title: check.title,
    applies: formatApplicability(check.applies),
    portable: check.portable === true,
    ...defined({ kubernetesOnly: check.kubernetesOnly }),
    risks,
    unknownRisk: getUnknownRiskName(check),
    reads: getReads(check).map(getReadPath).toSorted(),
    readsKindsOfTarget: check.followedKinds !== undefined,
    needsManifests: check.needsManifests,
    ...defined({ onRequest: check.onRequest }),
  };
}

function formatTitle({ title, onRequest }: Check): string {
  return onRequest === undefined ? title : `${title} (only with --only)`;
}

/** The platforms that a check supports. */
export function formatPlatforms({ portable, kubernetesOnly }: Pick<Check, "portable" | "kubernetesOnly">): string {
  if (kubernetesOnly) return "Kubernetes";
  return portable ? "OpenShift, Kubernetes" : "OpenShift";
}

/** A star if the operator reports the same risk, a plus if the update service publishes it. */
function formatMarkedName({ name, liftedAs, published }: RiskText): string {
  return `${name}${liftedAs === undefined ? "" : "*"}${published === undefined ? "" : "+"}`;
}

/** A check of published bugs has a hundred risks. */
const MAX_NAMED = 10;

function formatRiskNames({ risks }: Check): string {
  return risks.length > MAX_NAMED
    ? summarizeNames(risks.map(formatMarkedName))
    : risks.map(formatMarkedName).join(", ");
}

const LEGEND = [
  "*  The running cluster-version operator may report this risk itself: see --lifted.",
  "+  The update service publishes this risk under another name.",
  "For these names and all details of a check, run: preflight explain CHECK",
];

function formatTable(): string {
  const rows = checks.map((check) => [check.id, formatTitle(check), formatPlatforms(check), formatRiskNames(check)]);
  const header = ["CHECK", "VERIFIES", "PLATFORMS", "RISKS"];
  return `${[formatColumns([header, ...rows], ""), "", ...LEGEND].join("\n")}\n`;
}
