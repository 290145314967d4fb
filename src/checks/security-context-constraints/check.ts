import { type Finding, type Judgement, defineCheck } from "../../model/check.ts";
import { joinNames, sortNames, summarizeNames } from "../../model/names.ts";
import { type Each, each, eachMetadata, valuesOf, soundInPart, withAnnotations } from "../../model/read.ts";
import type { ObjectRef } from "../../model/resource.ts";
import {
  type CustomConstraints,
  keepCustomConstraints,
  type AdmittedPod,
  CONSTRAINTS_ANNOTATIONS,
  keepAdmittedPod,
} from "./constraints.ts";
import { platformPodsAdmittedByCustomConstraints } from "./risks.ts";

export default defineCheck({
  id: "security-context-constraints",
  title: "The platform's pods run under the platform's SecurityContextConstraints",
  risks: [platformPodsAdmittedByCustomConstraints],
  applies: { kind: "updates", kinds: ["patch", "minor", "rollback"] },
  reads: () => ({
    constraints: each("security.openshift.io/v1/securitycontextconstraints", keepCustomConstraints),
  }),
  mayRead: () => ({ pods: buildPodsRead() }),
  follow: ({ constraints }) => (valuesOf(constraints).length > 0 ? { pods: buildPodsRead() } : {}),
  evaluate: ({ constraints }, _, { pods }) =>
    constraints.kind === "absent"
      ? { notApplicable: "The API server serves no SecurityContextConstraints." }
      : judge(constraints.values, pods ? valuesOf(pods) : []),
});

function buildPodsRead(): Each<AdmittedPod> {
  return withAnnotations(CONSTRAINTS_ANNOTATIONS, soundInPart("object", eachMetadata("v1/pods", keepAdmittedPod)));
}

function judge(custom: readonly CustomConstraints[], pods: readonly AdmittedPod[]): Judgement {
  const podsByConstraints = Map.groupBy(pods, ({ constraints }) => constraints);
  const preferred = custom.filter(({ name, isForAll }) => isForAll && !podsByConstraints.has(name));
  return {
    findings: custom.flatMap(({ name }) => {
      const admitted = podsByConstraints.get(name);
      return admitted === undefined ? [] : [buildFinding(name, admitted)];
    }),
    notices: preferred.length === 0 ? [] : [buildPreferredNotice(preferred)],
  };
}

function buildFinding(name: string, pods: readonly AdmittedPod[]): Finding {
  const object: ObjectRef = { apiVersion: "security.openshift.io/v1", kind: "SecurityContextConstraints", name };
  const namespaces = summarizeNames(sortNames(pods.map(({ namespace }) => namespace)));
  const message = `They admitted pods of the platform in ${namespaces}.`;
  return { risk: platformPodsAdmittedByCustomConstraints.name, object, message, detail: { namespaces } };
}

function buildPreferredNotice(preferred: readonly CustomConstraints[]): string {
  const names = joinNames(preferred.map(({ name, priority }) => `${name} (priority ${priority})`));
  return `Custom SecurityContextConstraints are granted to all service accounts, and may admit pods of the platform that are created anew and require no particular ones: ${names}. Grant them to the service accounts that need them instead.`;
}
