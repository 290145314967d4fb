import { findCondition } from "../../model/conditions.ts";
import { type Json, type JsonObject, at, isObject, listAt, textAt } from "../../model/json.ts";
import { quote, quoteText } from "../../model/quote.ts";
import { type ReleaseAccess, keepReleaseSource } from "./signature.ts";
import type { Finding } from "../../model/check.ts";
import { CLUSTER_VERSION } from "../../model/resource.ts";
import { type ConditionTexts, parseConditionTexts } from "../shared/conditions.ts";

/** What ClusterVersion says of the cluster's own state. An operator that has just started lacks conditions. */
export type ClusterVersion = {
  readonly failing?: ConditionTexts;
  readonly invalid?: ConditionTexts;
  readonly progressing?: ConditionTexts;
  readonly releaseAccepted?: ConditionTexts;
  readonly upgradeable?: ConditionTexts;
  /** The conditions of a type such as UpgradeableClusterOperators that are False: there are some if Upgradeable has several reasons. */
  readonly upgradeableParts: readonly ConditionTexts[];
  /** The newest entry of the history. */
  readonly lastUpdate?: { readonly version: string; readonly isComplete: boolean };
  /** The release that the operator applies, and the releases that it applied, the newest first. */
  readonly desired: AppliedRelease;
  readonly history: readonly AppliedRelease[];
  readonly releaseSource: ReleaseAccess;
  /** The version that an administrator requested; "" if the request names only an image. */
  readonly requestedVersion: string;
};

type AppliedRelease = { readonly version: string; readonly image: string };

export function keepClusterVersion(object: JsonObject): ClusterVersion {
  return {
    failing: parseCondition(object, "Failing"),
    invalid: parseCondition(object, "Invalid"),
    progressing: parseCondition(object, "Progressing"),
    releaseAccepted: parseCondition(object, "ReleaseAccepted"),
    upgradeable: parseCondition(object, "Upgradeable"),
    lastUpdate: parseLastUpdate(object),
    upgradeableParts: selectUpgradeableParts(object),
    desired: parseRelease(at(object, "status", "desired")),
    history: listAt(object, "status", "history").map(parseRelease),
    releaseSource: keepReleaseSource(object),
    requestedVersion: textAt(object, "spec", "desiredUpdate", "version") ?? "",
  };
}

function parseCondition(object: JsonObject, type: string): ConditionTexts | undefined {
  const condition = findCondition(object, type);
  return condition && parseConditionTexts(condition);
}

function selectUpgradeableParts(object: JsonObject): readonly ConditionTexts[] {
  return listAt(object, "status", "conditions")
    .filter(isObject)
    .filter((one) => /^Upgradeable[A-Z]/.test(textAt(one, "type") ?? "") && textAt(one, "status") === "False")
    .map(parseConditionTexts);
}

function parseRelease(release: Json | undefined): AppliedRelease {
  return { version: textAt(release, "version") ?? "", image: textAt(release, "image") ?? "" };
}

function parseLastUpdate(object: JsonObject): ClusterVersion["lastUpdate"] {
  const last = at(object, "status", "history", 0);
  const version = textAt(last, "version");
  return version === undefined ? undefined : { version, isComplete: textAt(last, "state") === "Completed" };
}

/** An operator that has just started has no condition yet. */
export function isUpdating({ progressing, lastUpdate }: ClusterVersion): boolean {
  return progressing ? progressing.status === "True" : lastUpdate?.isComplete === false;
}

const MAX_QUOTE_LENGTH = 300;

/** `RetrievePayload, "the update cannot be verified"`. */
export function formatCondition(
  { reason, message }: Pick<ConditionTexts, "reason" | "message">,
  maxLength = MAX_QUOTE_LENGTH,
): string {
  return quote(message, maxLength) === "" ? reason : `${reason}, ${quoteText(message, maxLength)}`;
}

/** A finding that a condition of ClusterVersion has a state such as "Failing=True". */
export function buildFinding(
  risk: string,
  state: string,
  condition: Pick<ConditionTexts, "reason" | "message">,
): Finding {
  const { reason, message } = condition;
  return {
    risk,
    object: CLUSTER_VERSION,
    message: `It reports ${state} (${formatCondition(condition)}).`,
    detail: { condition: formatCondition(condition), reason, message },
  };
}
