import { UsageError } from "../../model/errors.ts";
import type { CheckSubject } from "../../model/halves.ts";
import type { Settings, ValuesOf } from "./command.ts";

const hostedClusterSetting = {
  "hosted-cluster": {
    env: "PREFLIGHT_HOSTED_CLUSTER",
    group: "cluster",
    isRepeated: false,
    placeholder: "NAMESPACE/NAME",
    describe:
      "HostedCluster of this management cluster (HyperShift) that is to be updated, with its NodePools, instead of the cluster itself",
  },
} as const satisfies Settings;

/** Where the guest itself is read: at most one of them, and a context of the first. */
const guestSettings = {
  "guest-kubeconfig": {
    env: "PREFLIGHT_GUEST_KUBECONFIG",
    group: "cluster",
    isRepeated: false,
    placeholder: "FILE",
    describe: "With --hosted-cluster: kubeconfig file of the guest, which is then checked too, as one result",
  },
  "guest-context": {
    env: "PREFLIGHT_GUEST_CONTEXT",
    group: "cluster",
    isRepeated: false,
    placeholder: "CONTEXT",
    describe: "Context within the kubeconfig of the guest",
    defaultText: "its current context",
  },
  "guest-secret": {
    env: "PREFLIGHT_GUEST_SECRET",
    group: "cluster",
    isRepeated: false,
    placeholder: "NAME",
    describe:
      "With --hosted-cluster: Secret beside the HostedCluster whose key kubeconfig is the guest's, instead of a file; no other Secret is read",
  },
  "guest-recorded": {
    env: "PREFLIGHT_GUEST_RECORDED",
    group: "cluster",
    isRepeated: false,
    placeholder: "DIR",
    describe: "With --hosted-cluster: folder with the recorded guest, instead of a live one",
  },
} as const satisfies Settings;

/** Of commands that judge a hosted cluster by what its management cluster has of it, and by the guest if one is named. */
export const hostedClusterSettings = { ...hostedClusterSetting, ...guestSettings } as const satisfies Settings;

/** Of commands that are about all of them. */
export const hostedClustersSettings = {
  "hosted-clusters": {
    group: "cluster",
    type: "boolean",
    default: false,
    describe: "The hosted clusters of these management clusters (HyperShift), instead of the clusters themselves",
  },
} as const satisfies Settings;

export type HostedValues = Partial<ValuesOf<typeof hostedClusterSettings> & ValuesOf<typeof hostedClustersSettings>>;

const SOURCES = ["guest-kubeconfig", "guest-secret", "guest-recorded"] as const;

/** The flag that names the guest; undefined if none does. Throws a UsageError for what does not go together. */
export function findGuestFlag(values: HostedValues): (typeof SOURCES)[number] | undefined {
  const given = SOURCES.filter((flag) => values[flag] !== undefined);
  const [flag, other] = given;
  if (other !== undefined) throw new UsageError(`--${flag} and --${other} both name the guest: give one of them`);
  if (values["guest-context"] !== undefined && flag !== "guest-kubeconfig")
    throw new UsageError("--guest-context names a context of --guest-kubeconfig: give that too");
  if (flag !== undefined && values["hosted-cluster"] === undefined)
    throw new UsageError(`--${flag} names the guest of a hosted cluster: give --hosted-cluster too`);
  return flag;
}

/** What is judged: the subjects of the checks that run, where `undefined` is the cluster itself. */
export function listSubjects(values: HostedValues): readonly (CheckSubject | undefined)[] {
  if (values["hosted-clusters"] === true) return ["HostedCluster"];
  if (values["hosted-cluster"] === undefined) return [undefined];
  return findGuestFlag(values) === undefined ? ["HostedCluster"] : ["HostedCluster", undefined];
}
