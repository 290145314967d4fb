import { findCondition } from "../../model/conditions.ts";
import { type JsonObject, objectAt, textAt } from "../../model/json.ts";
import type { ObjectRef } from "../../model/resource.ts";
import { type BootImage, parseOpenShiftVersion, parseRhcosVersion } from "./boot-image.ts";

export const MACHINE_CONFIGURATION: ObjectRef = {
  apiVersion: "operator.openshift.io/v1",
  kind: "MachineConfiguration",
  name: "cluster",
};

const STATUS_FIELD = "bootImageSkewEnforcementStatus";

/** The boot image that the cluster uses according to the field at `path`. `image` is absent if `text` can't be parsed. */
export type RecordedBootImage = { readonly path: string; readonly text: string; readonly image?: BootImage };

/**
 * The boot image skew that machineconfigurations.operator.openshift.io/cluster reports; `absent`: it reports none.
 * `updateState` of Automatic: the state of the controller that updates boot images.
 */
export type SkewStatus =
  | { readonly mode: "absent" }
  | { readonly mode: "None" }
  | { readonly mode: "Manual"; readonly bootImage: RecordedBootImage }
  | {
      readonly mode: "Automatic";
      readonly bootImage: RecordedBootImage;
      readonly updateState: "settled" | "unsettled" | "degraded";
    }
  | { readonly mode: "other"; readonly text: string };

export function keepSkewStatus(object: JsonObject): SkewStatus {
  const status = objectAt(object, "status", STATUS_FIELD);
  const mode = textAt(status, "mode");
  if (mode === undefined || mode === "") return { mode: "absent" };
  if (mode === "None") return { mode };
  if (mode === "Manual") return { mode, bootImage: parseRecordedBootImage(objectAt(status, "manual"), "manual") };
  if (mode !== "Automatic") return { mode: "other", text: mode };
  return {
    mode,
    bootImage: parseRecordedBootImage(objectAt(status, "automatic"), "automatic"),
    updateState: getUpdateState(object),
  };
}

/** If both versions are set, the machine-config operator reads only that of OpenShift. */
function parseRecordedBootImage(member: JsonObject, name: string): RecordedBootImage {
  const openshift = textAt(member, "ocpVersion") ?? "";
  const rhcos = textAt(member, "rhcosVersion") ?? "";
  const [field, text] = openshift === "" && rhcos !== "" ? ["rhcosVersion", rhcos] : ["ocpVersion", openshift];
  const image = field === "ocpVersion" ? parseOpenShiftVersion(text) : parseRhcosVersion(text);
  return { path: `status.${STATUS_FIELD}.${name}.${field}`, text, image };
}

/** While Progressing is True or not reported, the operator concludes nothing from Degraded or the recorded version. */
function getUpdateState(object: JsonObject): "settled" | "unsettled" | "degraded" {
  const getStatus = (type: string): string | undefined => textAt(findCondition(object, type), "status");
  const progressing = getStatus("BootImageUpdateProgressing");
  if (progressing === undefined || progressing === "True") return "unsettled";
  return getStatus("BootImageUpdateDegraded") === "True" ? "degraded" : "settled";
}
