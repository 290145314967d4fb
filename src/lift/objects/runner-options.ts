import { type JsonObject, textAt } from "../../model/json.ts";

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

export type ParsedRunnerOptions = { readonly options: RunnerOptions; readonly problems: readonly string[] };

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
