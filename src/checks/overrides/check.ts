import { type Unknown, type Context, type Finding, type Judgement, defineCheck } from "../../model/check.ts";
import { joinNames } from "../../model/names.ts";
import { get } from "../../model/read.ts";
import { formatRef, type ObjectRef } from "../../model/resource.ts";
import { getMinorOrdinal, leavesMinor } from "../../model/version.ts";
import { componentsSetUnmanaged } from "./risks.ts";
import { type Json, type JsonObject, at, flagAt, isList, textAt } from "../../model/json.ts";
import { defined } from "../../model/optional.ts";

export default defineCheck({
  id: "overrides",
  name: "OverridesInPlace",
  title: "The cluster-version operator manages every part of the release",
  risks: [componentsSetUnmanaged],
  applies: { kind: "updates", kinds: ["patch", "minor"] },
  reads: () => ({ overrides: get("config.openshift.io/v1/clusterversions", "version", keepOverrides) }),
  evaluate: ({ overrides }, context) =>
    overrides.kind === "absent"
      ? { notApplicable: "The cluster has no ClusterVersion version." }
      : judge(overrides.value, context),
});

function judge(overrides: Overrides, context: Context): Judgement {
  if (overrides.kind === "unreadable") return { unknowns: [buildUnknown("spec.overrides", "it is not a list")] };
  const unmanaged = overrides.entries.filter(({ managed }) => managed === "no");
  const unknowns = overrides.entries
    .filter(({ managed }) => managed === "unreadable")
    .map(({ path }) => buildUnknown(`${path}.unmanaged`, "it is neither true nor false"));
  if (!isRefused(context)) return { notices: buildPatchNotices(unmanaged, context), unknowns };
  return { findings: unmanaged.map(buildFinding), unknowns };
}

/** From this release on the cluster-version operator lets updates within a minor pass with a warning (OTA-1860). */
const PATCHES_PASS_FROM = { major: 4, minor: 22 } as const;

/** Does the running cluster-version operator refuse the update while an object is unmanaged? */
function isRefused(context: Context): boolean {
  return leavesMinor(context) || getMinorOrdinal(context.source) < getMinorOrdinal(PATCHES_PASS_FROM);
}

function buildFinding({ path, object }: Override): Finding {
  return {
    risk: componentsSetUnmanaged.name,
    object,
    message: `ClusterVersion version marks it as unmanaged (${path}).`,
    detail: { override: path },
  };
}

/** An update that is not refused skips the unmanaged objects. */
function buildPatchNotices(unmanaged: readonly Override[], { source, target }: Context): readonly string[] {
  if (unmanaged.length === 0) return [];
  const names = joinNames(unmanaged.map(({ object }) => formatRef(object)));
  const it = unmanaged.length === 1 ? "it" : "them";
  return [
    `The overrides of ClusterVersion version mark ${names} as unmanaged, so the update to ${target.text} leaves ${it} as in ${source.text}.`,
  ];
}

function buildUnknown(path: string, message: string): Unknown {
  return { reason: "NotUnderstood", where: `clusterversions.config.openshift.io version ${path}`, message };
}

/** An entry of ClusterVersion's spec.overrides. `unreadable`: `unmanaged` is neither true nor false. */
type Override = {
  readonly path: string;
  readonly object: ObjectRef;
  readonly managed: "yes" | "no" | "unreadable";
};
type Overrides = { readonly kind: "entries"; readonly entries: readonly Override[] } | { readonly kind: "unreadable" };

function keepOverrides(clusterVersion: JsonObject): Overrides {
  const value = at(clusterVersion, "spec", "overrides") ?? null;
  if (value === null) return { kind: "entries", entries: [] };
  if (!isList(value)) return { kind: "unreadable" };
  return { kind: "entries", entries: value.map(parseOverride) };
}

function parseOverride(entry: Json, i: number): Override {
  return { path: `spec.overrides[${i}]`, object: parseObjectRef(entry), managed: parseManaged(entry) };
}

/** An override names only a group, without a version. */
function parseObjectRef(entry: Json): ObjectRef {
  const namespace = textAt(entry, "namespace");
  return {
    apiVersion: textAt(entry, "group") || "v1",
    kind: textAt(entry, "kind") ?? "",
    ...defined({ namespace: namespace || undefined }),
    name: textAt(entry, "name") ?? "",
  };
}

function parseManaged(entry: Json): Override["managed"] {
  const unmanaged = flagAt(entry, "unmanaged");
  if (unmanaged === undefined) return "unreadable";
  return unmanaged ? "no" : "yes";
}
