import { type Context, type Judgement, defineCheck } from "../../model/check.ts";
import { type Each, type Values, each, valuesOf } from "../../model/read.ts";
import { judgeStorage, needsDrivers } from "./judge.ts";
import { changesOf } from "./plugins.ts";
import { driverMissing, pluginGone } from "./risks.ts";
import { type StorageClass, type Volume, keepClass, keepDriver, keepNodeDrivers, keepVolume } from "./volumes.ts";

type Followed = {
  readonly volumes?: Each<Volume>;
  readonly classes?: Each<StorageClass>;
  readonly drivers?: Each<string>;
  readonly nodes?: Each<readonly string[]>;
};

export default defineCheck<Readonly<Record<never, never>>, Followed>({
  id: "in-tree-volumes",
  name: "InTreeVolumes",
  title: "Volumes of in-tree plugins can be mounted in the target",
  risks: [pluginGone, driverMissing],
  applies: { kind: "updates", kinds: ["minor"] },
  needsManifests: false,
  portable: true,
  reads: () => ({}),
  mayRead: storageReads,
  follow: (_, context) => (changesOf(context).length > 0 ? storageReads() : {}),
  evaluate: (_, context, followed) => judge(followed, context),
});

function storageReads(): Required<Followed> {
  return {
    volumes: each("v1/persistentvolumes", keepVolume),
    classes: each("storage.k8s.io/v1/storageclasses", keepClass),
    drivers: each("storage.k8s.io/v1/csidrivers", keepDriver),
    nodes: each("storage.k8s.io/v1/csinodes", keepNodeDrivers),
  };
}

function judge(followed: Partial<Values<Followed>>, context: Context): Judgement {
  const changes = changesOf(context);
  if (changes.length === 0) return { notApplicable: unchanged(context) };
  const { volumes, classes, drivers, nodes } = followed;
  const installed = new Set([...(drivers ? valuesOf(drivers) : []), ...(nodes ? valuesOf(nodes).flat() : [])]);
  // Without the drivers nobody can tell which volumes they serve; that they couldn't be read is said anyway.
  const told =
    drivers && nodes ? changes : changes.filter(({ driver }) => driver === undefined || installed.has(driver));
  const storage = {
    volumes: volumes ? valuesOf(volumes) : [],
    classes: classes ? valuesOf(classes) : [],
    drivers: installed,
  };
  const needless = volumes && classes && !needsDrivers(storage, changes) ? ["drivers", "nodes"] : [];
  return { ...judgeStorage(storage, told, context), needless };
}

function unchanged({ kubernetes: { source, target } }: Context): string {
  return `No volume plugin changes between Kubernetes 1.${source} and 1.${target}.`;
}
