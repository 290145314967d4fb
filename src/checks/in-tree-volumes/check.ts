import { type Context, type Judgement, defineCheck } from "../../model/check.ts";
import { type Each, type ReadResults, each, valuesOf } from "../../model/read.ts";
import { refOf } from "../../model/resource.ts";
import { judgeStorage, needsDrivers } from "./verdict.ts";
import { risks } from "./risks.ts";
import {
  type StorageClass,
  type Volume,
  keepStorageClass,
  keepNodeDrivers,
  keepVolume,
  selectPluginChanges,
} from "./volumes.ts";

type FollowUpReads = {
  readonly volumes?: Each<Volume>;
  readonly classes?: Each<StorageClass>;
  readonly drivers?: Each<string>;
  readonly nodes?: Each<readonly string[]>;
};

export default defineCheck({
  id: "in-tree-volumes",
  title: "Volumes of in-tree plugins can be mounted in the target",
  risks: Object.values(risks),
  applies: { kind: "updates", kinds: ["minor"] },
  basis: "table",
  platforms: ["openshift", "kubernetes"],
  reads: () => ({}),
  mayRead: buildStorageReads,
  follow: (_, context) => (selectPluginChanges(context).length > 0 ? buildStorageReads() : {}),
  evaluate: (_, context, followed) => judge(followed, context),
});

function buildStorageReads(): Required<FollowUpReads> {
  return {
    volumes: each("v1/persistentvolumes", keepVolume),
    classes: each("storage.k8s.io/v1/storageclasses", keepStorageClass),
    drivers: each("storage.k8s.io/v1/csidrivers", (driver) => refOf(driver).name),
    nodes: each("storage.k8s.io/v1/csinodes", keepNodeDrivers),
  };
}

function judge(followed: Partial<ReadResults<FollowUpReads>>, context: Context): Judgement {
  const changes = selectPluginChanges(context);
  if (changes.length === 0) return { notApplicable: describeNoChange(context) };
  const { volumes, classes, drivers, nodes } = followed;
  const installed = new Set([...(drivers ? valuesOf(drivers) : []), ...(nodes ? valuesOf(nodes).flat() : [])]);
  // Without the drivers it is unknown which volumes they serve; the runner reports that they couldn't be read.
  const decidable =
    drivers && nodes ? changes : changes.filter(({ driver }) => driver === undefined || installed.has(driver));
  const storage = {
    volumes: volumes ? valuesOf(volumes) : [],
    classes: classes ? valuesOf(classes) : [],
    drivers: installed,
  };
  const irrelevantReads = volumes && classes && !needsDrivers(storage, changes) ? ["drivers", "nodes"] : [];
  return { ...judgeStorage(storage, decidable, context), irrelevantReads };
}

function describeNoChange({ kubernetes: { source, target } }: Context): string {
  return `No volume plugin changes between Kubernetes 1.${source} and 1.${target}.`;
}
