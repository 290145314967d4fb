import { type JsonObject, textAt } from "../../model/json.ts";

export const REPORT = {
  apiVersion: "v1",
  kind: "ConfigMap",
  namespace: "openshift-config",
  name: "selinux-conflicts",
} as const;

/** What kube-controller-manager of 5.0 writes, every half minute where it changed. */
export type Report = "True" | "False" | "other";

export function keepReport(object: JsonObject): Report {
  const said = textAt(object, "data", "conflictsPresent");
  return said === "True" || said === "False" ? said : "other";
}
