import { type ServerFeature, hasFeature } from "../../openapi/index.ts";

/** `refuses`: whether API servers with the feature or those without it can refuse more objects of a schema that has the mark. */
type Difference = {
  readonly feature: ServerFeature;
  readonly mark: RegExp;
  readonly refuses: "with" | "without" | "either";
};

const DIFFERENCES: readonly Difference[] = [
  { feature: "ratcheting", mark: /^/, refuses: "without" },
  { feature: "numberRanges", mark: /"format":"(?:int32|int64|float|double)"/, refuses: "with" },
  { feature: "nameFormats", mark: /"format":"[^"]*name"/, refuses: "with" },
  { feature: "formatsByType", mark: /"format":"(?!(?:int32|int64|float|double)")/, refuses: "without" },
  { feature: "hiddenFields", mark: /"x-kubernetes-validations":/, refuses: "either" },
  { feature: "someListKeys", mark: /"x-kubernetes-list-map-keys":\[[^\]]*,/, refuses: "without" },
];

/** May API servers of the minor `to` refuse objects that those of `from` accept? `schema` is the text that CrdVersion holds. */
export function mayRefuseMore(schema: string, from: number, to: number): boolean {
  return DIFFERENCES.some(({ feature, mark, refuses }) => {
    const has = hasFeature(feature, to);
    if (hasFeature(feature, from) === has || refuses === (has ? "without" : "with")) return false;
    return mark.test(schema);
  });
}
