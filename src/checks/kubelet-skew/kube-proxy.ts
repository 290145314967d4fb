import type { Context, Finding, Judgement, Unknown } from "../../model/check.ts";
import { at, type JsonObject, listAt, numberAt, textAt } from "../../model/json.ts";
import type { GetResult } from "../../model/read.ts";
import { formatRef } from "../../model/resource.ts";
import { parseKubeletMinor, type KubeletRange, getSupportedRange } from "./kubelet.ts";
import { formatApiServer, KUBE_PROXY, risks } from "./risks.ts";

/** The DaemonSet of kube-proxy, as kubeadm and most distributions name it. `minor` is that of Kubernetes 1, by the image's tag. */
export type KubeProxy = { readonly image: string; readonly minor?: number; readonly isRolledOut: boolean };

/** "registry.example/kube-proxy:v1.33.4@sha256:..."; a port before the name is no tag. */
const TAG = /:([^:/@]+)(?:@.*)?$/;

export function keepKubeProxy(object: JsonObject): KubeProxy {
  const containers = listAt(object, "spec", "template", "spec", "containers");
  const container = containers.find((one) => at(one, "name") === "kube-proxy") ?? containers[0];
  const image = textAt(container, "image") ?? "";
  const minor = parseKubeletMinor(TAG.exec(image)?.[1] ?? "");
  return { image, minor, isRolledOut: isRolledOut(object) };
}

/** Until then, nodes run another version than the template's. */
function isRolledOut(object: JsonObject): boolean {
  const generation = numberAt(object, "metadata", "generation");
  const observed = numberAt(object, "status", "observedGeneration");
  const updated = numberAt(object, "status", "updatedNumberScheduled") ?? 0;
  return generation === observed && updated >= (numberAt(object, "status", "desiredNumberScheduled") ?? 0);
}

export function judgeKubeProxy(result: GetResult<KubeProxy>, context: Context): Judgement {
  if (context.platform === "openshift") return {};
  if (result.kind === "absent") return { notices: [NOT_FOUND] };
  const { image, minor, isRolledOut: isComplete } = result.value;
  if (minor === undefined)
    return {
      unknowns: [buildUnknown("NotUnderstood", `the tag of its image "${image}" is not a version such as v1.34.2`)],
    };
  return {
    findings: buildFindings(image, minor, getSupportedRange(context), context),
    unknowns: isComplete
      ? []
      : [
          buildUnknown(
            "RolloutIncomplete",
            "its rollout is not complete, so nodes run other versions: wait for kubectl rollout status -n kube-system daemonset/kube-proxy",
          ),
        ],
  };
}

const NOT_FOUND =
  "There is no DaemonSet kube-system/kube-proxy, so the version of kube-proxy was not checked. If something else runs it, compare its version with the target's: at most three minors behind, and not ahead.";

function buildUnknown(reason: Unknown["reason"], message: string): Unknown {
  return { reason, where: formatRef(KUBE_PROXY), message };
}

function buildFindings(
  image: string,
  minor: number,
  { oldest, newest }: KubeletRange,
  context: Context,
): readonly Finding[] {
  if (minor >= oldest && minor <= newest) return [];
  const risk = minor > newest ? risks.KubeProxyNewerThanTarget.name : risks.KubeProxyTooOldForTarget.name;
  const message = `Its image is ${image}. ${formatApiServer(context)} supports kube-proxy 1.${oldest} to 1.${newest}.`;
  return [{ risk, object: KUBE_PROXY, path: "spec.template.spec.containers", message, detail: { image } }];
}
