import { type Json, type JsonObject, objectAt, textAt } from "../../model/json.ts";
import { parseDate, formatTime } from "../../model/time.ts";
import { parseVersion } from "../../model/version.ts";
import { buildOptimisticLock } from "./cluster-version.ts";
import { type Edit, refuseEdit } from "./cluster-version-edit.ts";
import type { TargetReference } from "./payload.ts";

/** The keys of preflight-request that configure the runner. Their values are those of the flags. */
export const RUNNER_KEYS = [
  "only",
  "skip",
  "lifted",
  "check-timeout",
  "cycle-timeout",
  "node-selector",
  "tolerations",
  "allow-unverified",
] as const;

type RunnerKey = (typeof RUNNER_KEYS)[number];

export type RunnerOptions = { readonly [K in RunnerKey]?: string };

const LIST = /^[a-z0-9-]+(?:,[a-z0-9-]+)*$/;
const DURATION = /^(?:0|(?:\d+(?:\.\d+)?(?:ms|s|m|h))+)$/;
const LABEL = String.raw`(?:[a-z0-9.-]+/)?[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?`;
const VALUE = String.raw`(?:[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)?`;
const SELECTOR = new RegExp(`^${LABEL}=${VALUE}$`);
const TOLERATION = new RegExp(`^${LABEL}(?:=${VALUE})?(?::(?:NoSchedule|PreferNoSchedule|NoExecute))?$`);

const RULES: Readonly<Record<RunnerKey, { readonly isValid: (text: string) => boolean; readonly form: string }>> = {
  only: { isValid: (text) => LIST.test(text), form: "IDs of checks separated by commas" },
  skip: { isValid: (text) => LIST.test(text), form: "IDs of checks separated by commas" },
  lifted: { isValid: (text) => text === "show" || text === "leave", form: "show or leave" },
  "check-timeout": { isValid: (text) => DURATION.test(text), form: "a duration such as 30s" },
  "cycle-timeout": { isValid: (text) => DURATION.test(text), form: "a duration such as 5m" },
  "node-selector": {
    isValid: (text) => text.split(",").every((one) => SELECTOR.test(one)),
    form: "KEY=VALUE pairs separated by commas",
  },
  tolerations: {
    isValid: (text) => text.split(",").every((one) => TOLERATION.test(one)),
    form: "KEY[=VALUE][:EFFECT] separated by commas",
  },
  "allow-unverified": { isValid: (text) => text === "true" || text === "false", form: "true or false" },
};

type ParsedRunnerOptions = { readonly options: RunnerOptions; readonly problems: readonly string[] };

export function parseRunnerOptions(data: JsonObject): ParsedRunnerOptions {
  const given = RUNNER_KEYS.flatMap((key) => {
    const text = textAt(data, key);
    return text === undefined ? [] : [[key, text] as const];
  });
  const invalid = given.filter(([key, text]) => !RULES[key].isValid(text));
  return {
    options: Object.fromEntries(given),
    problems: invalid.map(([key, text]) => `${key}: "${text}" is not ${RULES[key].form}`),
  };
}

/** Whether the release image may run although the cluster can't verify its signature. */
export function allowsUnverified(options: RunnerOptions | undefined): boolean {
  return options?.["allow-unverified"] === "true";
}

/** The pod's node selector: labels as text. */
export function parseNodeSelector(text: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    text.split(",").map((one) => [one.slice(0, one.indexOf("=")), one.slice(one.indexOf("=") + 1)]),
  );
}

export function parseTolerations(text: string): readonly JsonObject[] {
  return text.split(",").map((one) => {
    const [label = "", effect] = one.split(":");
    const [key = "", value] = label.split("=");
    const match: JsonObject = value === undefined ? { operator: "Exists" } : { operator: "Equal", value };
    return { key, ...match, ...(effect === undefined ? {} : { effect }) };
  });
}

export const NAMESPACE = "openshift-cluster-version";
/** The ConfigMap that requests a preflight. Its keys are options of the command. */
export const REQUEST_NAME = "preflight-request";

/** Set if the ConfigMap requests another preflight than when it was created. */
const REQUESTED_AT = "requested-at";

export type PreflightRequest = {
  readonly target: TargetReference;
  /** The start of the maintenance window, if it has one; `until` is its end. */
  readonly notBefore?: Date;
  readonly until?: Date;
  readonly runner?: RunnerOptions;
};

type ParsedRequest =
  | { readonly kind: "none" }
  | { readonly kind: "request"; readonly request: PreflightRequest }
  | { readonly kind: "invalid"; readonly problems: readonly string[] };

/** Parses the ConfigMap, which may have been written by hand. */
export function parseRequest(configMap: JsonObject | undefined): ParsedRequest {
  if (!configMap) return { kind: "none" };
  const data = objectAt(configMap, "data");
  const to = textAt(data, "to");
  const image = textAt(data, "to-image");
  const notBefore = parseTime(data, "not-before");
  const until = parseTime(data, "until");
  const runner = parseRunnerOptions(data);
  const problems = [
    ...validateTarget(to, image),
    ...notBefore.problems,
    ...until.problems,
    ...parseTime(data, REQUESTED_AT).problems,
    ...runner.problems,
  ];
  if (notBefore.time && until.time && until.time <= notBefore.time) problems.push("until: must be after not-before");
  const target: TargetReference | undefined =
    to === undefined ? (image === undefined ? undefined : { kind: "image", image }) : { kind: "version", version: to };
  if (problems.length > 0 || !target) return { kind: "invalid", problems };
  const options = {
    ...(notBefore.time ? { notBefore: notBefore.time } : {}),
    ...(until.time ? { until: until.time } : {}),
    ...(Object.keys(runner.options).length > 0 ? { runner: runner.options } : {}),
  };
  return { kind: "request", request: { target, ...options } };
}

/** Undefined without a request, or with an invalid one. */
export function parseValidRequest(configMap: JsonObject | undefined): PreflightRequest | undefined {
  const parsed = parseRequest(configMap);
  return parsed.kind === "request" ? parsed.request : undefined;
}

export function getWindowPhase({ notBefore, until }: PreflightRequest, now: Date): "before" | "within" | "over" {
  if (until && now >= until) return "over";
  return notBefore && now < notBefore ? "before" : "within";
}

/** When the preflight was requested: a result observed earlier belongs to another request. */
export function getRequestTime(configMap: JsonObject | undefined): Date | undefined {
  const created = textAt(configMap, "metadata", "creationTimestamp");
  return parseDate(textAt(configMap, "data", REQUESTED_AT) ?? created);
}

/** The keys of the ConfigMap, which are flags of the command. */
export const REQUEST_KEYS = ["to", "to-image", "not-before", "until", ...RUNNER_KEYS] as const;

type RequestEditOptions = {
  readonly now?: Date;
  /** Whether to request the same preflight again, after its runner was removed. */
  readonly isRestart?: boolean;
};

/** Creates the ConfigMap, or changes only our keys of the present one. */
export function buildRequestEdit(
  present: JsonObject | undefined,
  request: PreflightRequest,
  { now, isRestart = false }: RequestEditOptions = {},
): Edit {
  const desired = buildData(request);
  const parsed = parseRequest({ data: desired });
  if (parsed.kind === "invalid") return refuseEdit(parsed.problems.join("; "));
  if (!present) return { kind: "create", object: { ...buildConfigMap(REQUEST_NAME), data: desired } };
  const clearedKeys = Object.fromEntries(REQUEST_KEYS.map((key) => [key, null]));
  const data = objectAt(present, "data");
  const isUnchanged = Object.entries({ ...clearedKeys, ...desired }).every(
    ([key, value]) => (textAt(data, key) ?? null) === value,
  );
  if (isUnchanged && !isRestart) return { kind: "unchanged" };
  return {
    kind: "patch",
    patch: {
      ...buildOptimisticLock(present),
      data: { ...clearedKeys, ...desired, ...(now && { [REQUESTED_AT]: formatTime(now) }) },
    },
  };
}

/** Deletes the observed ConfigMap, unless somebody has changed or replaced it since. */
export function buildCancelEdit(present: JsonObject | undefined): Edit {
  if (!present) return { kind: "unchanged" };
  const { uid, resourceVersion } = objectAt(present, "metadata");
  return {
    kind: "delete",
    preconditions: { ...(uid ? { uid } : {}), ...(resourceVersion ? { resourceVersion } : {}) },
  };
}

export function buildConfigMap(name: string): JsonObject {
  const labels = { "app.kubernetes.io/part-of": "target-release-preflight" };
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace: NAMESPACE, labels } };
}

/** A value of a ConfigMap. */
export function formatJson(value: object | Json): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}

function buildData({ target, notBefore, until, runner }: PreflightRequest): Readonly<Record<string, string>> {
  return {
    ...(target.kind === "version" ? { to: target.version } : { "to-image": target.image }),
    ...(notBefore ? { "not-before": formatTime(notBefore) } : {}),
    ...(until ? { until: formatTime(until) } : {}),
    ...runner,
  };
}

function validateTarget(to: string | undefined, image: string | undefined): string[] {
  if (to !== undefined && image !== undefined) return ["to and to-image are mutually exclusive"];
  if (to === undefined && image === undefined) return ["either to or to-image is required"];
  if (to !== undefined && !parseVersion(to)) return [`to: "${to}" is not a version such as 5.2.0`];
  return image !== undefined && !/^\S+$/.test(image) ? [`to-image: "${image}" is not a pull spec`] : [];
}

function parseTime(data: JsonObject, key: string): { readonly time?: Date; readonly problems: readonly string[] } {
  const text = textAt(data, key);
  if (text === undefined) return { problems: [] };
  const time = parseDate(text);
  if (time === undefined) return { problems: [`${key}: "${text}" is not a time such as 2026-02-06T15:30:00Z`] };
  return { time, problems: [] };
}
