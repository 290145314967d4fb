import { type Context, formatTarget } from "../../model/check.ts";
import { type Version, formatMinor, getMinorOrdinal, leavesMinor } from "../../model/version.ts";
import { type CelValue, buildList } from "../../schema/cel/index.ts";
import { buildMap } from "./read-values.ts";

type UpdateValues = readonly (readonly [string, CelValue])[];

/** Every command of every finding needs them. */
const known = new WeakMap<Context, UpdateValues>();

/** The values of UPDATE_NAMES, by name. */
export function listUpdateValues(context: Context): UpdateValues {
  const values = known.get(context) ?? buildUpdateValues(context);
  known.set(context, values);
  return values;
}

function buildUpdateValues(context: Context): UpdateValues {
  const { source, target, update } = context;
  return [
    ["@source", BigInt(getMinorOrdinal(source))],
    ["@target", BigInt(getMinorOrdinal(target))],
    ["source", buildRelease(source, context.kubernetes.source, formatTarget({ ...context, target: source }))],
    ["target", buildRelease(target, context.kubernetes.target, formatTarget(context))],
    [
      "update",
      buildMap([
        ["kind", update],
        ["leavesMinor", leavesMinor(context)],
      ]),
    ],
  ];
}

function buildRelease(version: Version, kubernetes: number, text: string): CelValue {
  return buildMap([
    ["version", version.text],
    ["minor", formatMinor(version)],
    ["ordinal", BigInt(getMinorOrdinal(version))],
    ["kubernetes", BigInt(kubernetes)],
    ["pre", buildList(version.pre)],
    ["text", text],
  ]);
}

/** What stands for them in a text that belongs to no update. */
export function listGeneralValues(): readonly (readonly [string, CelValue])[] {
  return ["source", "target"].map((name) => {
    const placeholder = `<${name}>`;
    return [name, buildMap(["version", "minor", "text"].map((field) => [field, placeholder] as const))] as const;
  });
}
