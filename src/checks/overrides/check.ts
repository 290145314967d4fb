import { type Unknown, type Context, type Finding, type Judgement, defineCheck } from "../../model/check.ts";
import { joinNames } from "../../model/names.ts";
import { type Get, get } from "../../model/read.ts";
import { formatRef } from "../../model/resource.ts";
import { type Override, type Overrides, keepOverrides } from "./overrides.ts";
import { isRefused } from "./refusal.ts";
import { componentsSetUnmanaged } from "./risks.ts";

type Reads = { readonly overrides: Get<Overrides> };

export default defineCheck<Reads>({
  id: "overrides",
  name: "OverridesInPlace",
  title: "The cluster-version operator manages every part of the release",
  risks: [componentsSetUnmanaged],
  applies: { kind: "updates", kinds: ["patch", "minor"] },
  needsManifests: false,
  reads: () => ({ overrides: get("config.openshift.io/v1/clusterversions", "version", keepOverrides) }),
  evaluate: ({ overrides }, context) =>
    overrides.kind === "absent"
      ? { notApplicable: "There is no clusterversions.config.openshift.io version." }
      : judge(overrides.value, context),
});

function judge(overrides: Overrides, context: Context): Judgement {
  if (overrides.kind === "unreadable") return { unknowns: [buildUnknown("spec.overrides", "it is no list")] };
  const unmanaged = overrides.entries.filter(({ managed }) => managed === "no");
  const unknowns = overrides.entries
    .filter(({ managed }) => managed === "unreadable")
    .map(({ path }) => buildUnknown(`${path}.unmanaged`, "it is neither true nor false"));
  if (!isRefused(context)) return { notices: buildPatchNotices(unmanaged, context), unknowns };
  return { findings: unmanaged.map(buildFinding), unknowns };
}

function buildFinding({ path, object }: Override): Finding {
  return {
    risk: componentsSetUnmanaged.name,
    object,
    message: `ClusterVersion version sets it unmanaged (${path}).`,
    detail: { override: path },
  };
}

/** Where the update is not refused, it leaves out what is unmanaged. */
function buildPatchNotices(unmanaged: readonly Override[], { source, target }: Context): readonly string[] {
  if (unmanaged.length === 0) return [];
  const names = joinNames(unmanaged.map(({ object }) => formatRef(object)));
  return [
    `The update to ${target.text} leaves ${names} as in ${source.text}, since ClusterVersion version's overrides set that unmanaged.`,
  ];
}

function buildUnknown(path: string, message: string): Unknown {
  return { reason: "NotUnderstood", where: `clusterversions.config.openshift.io version ${path}`, message };
}
