import { jsonToValue } from "./unstructured.ts";
import { type CelValue, type ObjectValue, buildError, isObjectValue } from "./value.ts";

const NO_VALUE = buildError("unsupported conversion to ref.Val");
const UNCONVERTIBLE: ReadonlySet<ObjectValue["kind"]> = new Set(["url", "ip", "cidr", "quantity", "semver"]);

/**
 * What remains of an optional value once it is read through a variable, a conditional or a selection: cel-go converts it to a value of Go and
 * back. So values of an object lose their schema, and those of Kubernetes' libraries can't be had at all.
 */
export function toNative(value: CelValue): CelValue {
  if (!isObjectValue(value)) return value;
  if (value.kind === "optional") return value.value === undefined ? null : toNative(value.value);
  if (value.kind === "type") return value.name;
  if (value.kind === "json" || value.kind === "opaque") return jsonToValue(value.json);
  if (value.kind === "list" && value.json !== undefined) return jsonToValue(value.json);
  return UNCONVERTIBLE.has(value.kind) ? NO_VALUE : value;
}
