import type { Context, Finding, RiskText } from "../../model/check.ts";
import { joinNames, sortNames } from "../../model/names.ts";
import { CLUSTER_VERSION } from "../../model/resource.ts";
import { compareVersions, getKubernetesMinor } from "../../model/version.ts";
import { hasFeature } from "../../schema/openapi/index.ts";
import type { CapabilityValue } from "./enums.ts";

export const capabilityRejected: RiskText = {
  name: "CapabilityRejected",
  effect: "stuck",
  title: "The target's API rejects capabilities in ClusterVersion",
  url: "https://github.com/openshift/release/pull/43984",
  describe: (objects, context, findings) => {
    const [source, target] = [context.source.text, context.target.text];
    const update = context.update === "rollback" ? `rolling back from ${source}` : `updating from ${source}`;
    const values = joinNames(sortNames(findings.flatMap(({ message }) => /^"([^"]*)"/.exec(message)?.[1] ?? [])));
    return `The ClusterVersion API of ${target} doesn't accept ${values} in ${objects}. After ${update}, the API server rejects ${describeWrites(context)} ("Unsupported value"). The cluster-version operator then can't record its progress.`;
  },
  remediation:
    'Choose a target that accepts these values, such as a release of the running minor, because an enabled capability can\'t be disabled. Values in spec.capabilities can be changed first: edit them with "oc edit clusterversion version", and check them with "oc get clusterversion version -o jsonpath=\'{.spec.capabilities}\'".',
};

function describeWrites({ source, target }: Context): string {
  const earlier = compareVersions(source, target) < 0 ? source : target;
  return hasFeature("ratcheting", getKubernetesMinor(earlier))
    ? "each write that changes such a field but keeps the value"
    : "every write of ClusterVersion";
}

export function buildFinding({ path, value }: CapabilityValue, { target }: Context): Finding {
  const message = `"${value}" is not a value that ${target.text} accepts here.`;
  return { risk: capabilityRejected.name, object: CLUSTER_VERSION, path, message };
}
