import { type Context, type Judgement, defineCheck } from "../../model/check.ts";
import { onlyOn, raw } from "../../model/read.ts";
import { getGroup, listGroupVersions, requireApiGroups } from "../../model/resource.ts";

/** MicroShift serves these two of OpenShift's groups, and not the one of ClusterVersion. */
const MICROSHIFT_GROUPS = ["route.openshift.io", "security.openshift.io"];

export default defineCheck({
  id: "platform",
  title: "Preflight covers all of this platform",
  risks: [],
  applies: { kind: "updates", kinds: ["patch", "minor", "rollback"] },
  platforms: ["kubernetes"],
  reads: () => ({ groups: onlyOn("kubernetes", raw("/apis", keepGroups)) }),
  evaluate({ groups }, context): Judgement {
    if (groups.kind === "absent")
      return { unknowns: [{ reason: "NotServed", where: "/apis", message: "the API server does not serve it" }] };
    if (MICROSHIFT_GROUPS.every((group) => groups.value.includes(group))) return buildNotCovered(context);
    // Not clear: an update of which no other check says anything is one that nobody checked.
    return { notApplicable: "The API server is not MicroShift's." };
  },
});

function keepGroups(text: string): readonly string[] {
  return listGroupVersions(requireApiGroups(text)).map(getGroup);
}

function buildNotCovered({ kubernetes }: Context): Judgement {
  const message = `its API server serves ${MICROSHIFT_GROUPS.join(" and ")} without config.openshift.io: the checks judge it as Kubernetes 1.${kubernetes.source}, and what MicroShift adds to that is not covered`;
  return { unknowns: [{ reason: "PlatformNotCovered", where: "MicroShift", message }] };
}
