import { conditionOf } from "../../model/conditions.ts";
import { type JsonObject, objectAt, textAt } from "../../model/json.ts";
import type { ObjectRef } from "../../model/resource.ts";
import { type BootImage, parseOpenshift, parseRhcos } from "./boot-image.ts";

export const MACHINE_CONFIGURATION: ObjectRef = {
  apiVersion: "operator.openshift.io/v1",
  kind: "MachineConfiguration",
  name: "cluster",
};

const STATUS = "bootImageSkewEnforcementStatus";

/** The boot image that the cluster is recorded to use, and the field that says so. `image` is absent where it can't be parsed. */
export type Recorded = { readonly path: string; readonly text: string; readonly image?: BootImage };

/**
 * What matters of machineconfigurations.operator.openshift.io/cluster. `absent`: the guard has said nothing.
 * `updates` of Automatic: what the controller that updates boot images is at.
 */
export type SkewStatus =
  | { readonly mode: "absent" }
  | { readonly mode: "None" }
  | { readonly mode: "Manual"; readonly recorded: Recorded }
  | { readonly mode: "Automatic"; readonly recorded: Recorded; readonly updates: "settled" | "unsettled" | "degraded" }
  | { readonly mode: "other"; readonly text: string };

export function keepSkewStatus(object: JsonObject): SkewStatus {
  const status = objectAt(object, "status", STATUS);
  const mode = textAt(status, "mode");
  if (mode === undefined || mode === "") return { mode: "absent" };
  if (mode === "None") return { mode };
  if (mode === "Manual") return { mode, recorded: recordedIn(objectAt(status, "manual"), "manual") };
  if (mode !== "Automatic") return { mode: "other", text: mode };
  return { mode, recorded: recordedIn(objectAt(status, "automatic"), "automatic"), updates: updatesOf(object) };
}

/** The machine-config operator looks at the OpenShift version alone where both are set. */
function recordedIn(member: JsonObject, name: string): Recorded {
  const openshift = textAt(member, "ocpVersion") ?? "";
  const rhcos = textAt(member, "rhcosVersion") ?? "";
  const [field, text] = openshift === "" && rhcos !== "" ? ["rhcosVersion", rhcos] : ["ocpVersion", openshift];
  const image = field === "ocpVersion" ? parseOpenshift(text) : parseRhcos(text);
  return { path: `status.${STATUS}.${name}.${field}`, text, ...(image ? { image } : {}) };
}

/** While Progressing is True, or nobody has said, the operator draws no conclusion from Degraded or the recorded version. */
function updatesOf(object: JsonObject): "settled" | "unsettled" | "degraded" {
  const statusOf = (type: string): string | undefined => textAt(conditionOf(object, type), "status");
  const progressing = statusOf("BootImageUpdateProgressing");
  if (progressing === undefined || progressing === "True") return "unsettled";
  return statusOf("BootImageUpdateDegraded") === "True" ? "degraded" : "settled";
}
