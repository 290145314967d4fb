import { findCondition } from "../../model/conditions.ts";
import { type JsonObject, at, textAt } from "../../model/json.ts";
import { defined } from "../../model/optional.ts";
import { quote } from "../../model/quote.ts";
import { type ReleaseSource, keepReleaseSource } from "./signature.ts";

export type ClusterVersionCondition = {
  readonly status: string;
  readonly reason: string;
  readonly message: string;
  readonly since: string;
};

/** What ClusterVersion says of the cluster's own state. An operator that has just started lacks conditions. */
export type ClusterVersion = {
  readonly failing?: ClusterVersionCondition;
  readonly invalid?: ClusterVersionCondition;
  readonly progressing?: ClusterVersionCondition;
  readonly releaseAccepted?: ClusterVersionCondition;
  /** The newest entry of the history. */
  readonly lastUpdate?: { readonly version: string; readonly isComplete: boolean };
  readonly releaseSource: ReleaseSource;
  /** The version that an administrator requested; "" if the request names only an image. */
  readonly requestedVersion: string;
};

export function keepClusterVersion(object: JsonObject): ClusterVersion {
  return {
    ...defined({
      failing: parseCondition(object, "Failing"),
      invalid: parseCondition(object, "Invalid"),
      progressing: parseCondition(object, "Progressing"),
      releaseAccepted: parseCondition(object, "ReleaseAccepted"),
      lastUpdate: parseLastUpdate(object),
    }),
    releaseSource: keepReleaseSource(object),
    requestedVersion: textAt(object, "spec", "desiredUpdate", "version") ?? "",
  };
}

function parseCondition(object: JsonObject, type: string): ClusterVersionCondition | undefined {
  const condition = findCondition(object, type);
  if (condition === undefined) return undefined;
  const getText = (key: string): string => textAt(condition, key) ?? "";
  return {
    status: getText("status"),
    reason: getText("reason"),
    message: getText("message"),
    since: getText("lastTransitionTime"),
  };
}

function parseLastUpdate(object: JsonObject): ClusterVersion["lastUpdate"] {
  const last = at(object, "status", "history", 0);
  const version = textAt(last, "version");
  return version === undefined ? undefined : { version, isComplete: textAt(last, "state") === "Completed" };
}

const MAX_QUOTE_LENGTH = 300;

/** `RetrievePayload, "the update cannot be verified"`. */
export function formatCondition({ reason, message }: ClusterVersionCondition): string {
  const text = quote(message, MAX_QUOTE_LENGTH).replaceAll('"', "'");
  return text === "" ? reason : `${reason}, "${text}"`;
}
