import type { ErrorObject, ValidateFunction } from "ajv";
import schema from "../../../schemas/preflight-config.schema.json" with { type: "json" };
import type { Acceptance, CheckAcceptance } from "../../model/unseen.ts";
import { formatDidYouMean } from "../../model/text.ts";
import { formatSchemaProblem } from "./schema-problem.ts";

export type SettingValue = string | number | boolean | readonly string[];

/** What a configuration file holds, as schemas/preflight-config.schema.json describes it. */
export type Config = {
  readonly accept: readonly Acceptance[];
  /** Why checks are left out for good; it does not leave them out. */
  readonly acceptChecks: readonly CheckAcceptance[];
  /** Defaults of settings, by flag. */
  readonly settings: Readonly<Record<string, SettingValue>>;
  readonly checks: readonly ReadGrant[];
  /** Those that commands may run of checks in files that the administrator names. */
  readonly programs?: readonly string[];
};

/** What the checks of an operator ("olm/PACKAGE") or a namespace ("ns/NAME") may read besides what is their own: "v1/nodes". */
export type ReadGrant = { readonly origin: string; readonly reads: readonly string[] };

export type ParsedConfig =
  | { readonly kind: "valid"; readonly config: Config }
  | { readonly kind: "invalid"; readonly problem: string };

let validator: Promise<ValidateFunction<Written>> | undefined;

async function createValidator(): Promise<ValidateFunction<Written>> {
  const { Ajv } = await import("ajv");
  const options = { strict: true, verbose: true, strictRequired: false, allowUnionTypes: true };
  // That the schema is valid, a test shows.
  return new Ajv({ ...options, validateSchema: false }).compile(schema);
}

/** Validates the content of a configuration file. Ajv is loaded only if there is one. */
export async function parseConfig(content: unknown): Promise<ParsedConfig> {
  const validate = await (validator ??= createValidator());
  if (validate(content)) return { kind: "valid", config: buildConfig(content) };
  const errors = validate.errors ?? [];
  // What it takes to be one of several comes last, after what each of them lacks.
  const problem = errors.find(({ keyword }) => keyword === "oneOf") ?? errors[0];
  return { kind: "invalid", problem: problem === undefined ? "is not valid" : formatProblem(problem, content) };
}

type Written = {
  readonly accept?: readonly (Acceptance | CheckAcceptance)[];
  readonly settings?: Config["settings"];
  readonly checks?: Config["checks"];
  readonly programs?: Config["programs"];
};

function buildConfig({ accept = [], settings = {}, checks = [], programs }: Written): Config {
  return {
    accept: accept.filter((entry) => "risk" in entry),
    acceptChecks: accept.filter((entry) => "check" in entry),
    settings,
    checks,
    programs,
  };
}

/** In words where the schema's demand would be a pattern or a combination of keys. */
function formatProblem(error: ErrorObject, content: unknown): string {
  const place = error.instancePath.replace(/^\/accept\/(\d+).*$/, "accept[$1]");
  if (error.keyword === "additionalProperties") return describeUnknownKey(error);
  if (error.instancePath.endsWith("/until"))
    return `${place}.until: must be the last day on which it holds, such as 2026-12-31${formatActual(error.data)}`;
  if (error.keyword === "oneOf") return `${place}: must name either a risk or a check`;
  if (error.keyword === "dependencies") return `${place}.objects: belongs to a risk, not to a check`;
  return formatSchemaProblem(error, content);
}

/** With the nearest key that there is: a misspelt one would otherwise be one more thing to look up. */
function describeUnknownKey({ instancePath, params, parentSchema }: ErrorObject): string {
  const key = String(params["additionalProperty"]);
  const properties: unknown = parentSchema?.["properties"];
  const known = typeof properties === "object" && properties !== null ? Object.keys(properties) : [];
  const where =
    instancePath === ""
      ? ""
      : ` of ${instancePath
          .slice(1)
          .replaceAll(/\/(\d+)/g, "[$1]")
          .replaceAll("/", ".")}`;
  return `"${key}" is not a key${where}${formatDidYouMean(key, known) || `: the keys are ${known.join(", ")}`}`;
}

function formatActual(value: unknown): string {
  return typeof value === "string" ? `, not "${value}"` : "";
}
