import schema from "../../schemas/preflight-config.schema.json" with { type: "json" };
import type { Acceptance } from "../model/acceptance.ts";
import { formatSchemaProblem } from "./schema-problem.ts";

export type SettingValue = string | number | boolean | readonly string[];

/** What a configuration file holds, as schemas/preflight-config.schema.json describes it. */
export type Config = {
  readonly accept: readonly Acceptance[];
  /** Defaults of settings, by flag. */
  readonly settings: Readonly<Record<string, SettingValue>>;
};

export type ParsedConfig =
  | { readonly kind: "valid"; readonly config: Config }
  | { readonly kind: "invalid"; readonly problem: string };

/** Validates the content of a configuration file. Ajv is loaded only if there is one. */
export async function parseConfig(content: unknown): Promise<ParsedConfig> {
  const { Ajv } = await import("ajv");
  const validate = new Ajv({ strict: true, allowUnionTypes: true }).compile<Partial<Config>>(schema);
  if (validate(content)) return { kind: "valid", config: { accept: [], settings: {}, ...content } };
  const [problem] = validate.errors ?? [];
  return { kind: "invalid", problem: problem === undefined ? "is not valid" : formatSchemaProblem(problem, content) };
}
