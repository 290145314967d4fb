import { isObject, type Json, type JsonObject, listAt, parseObject } from "../../../src/model/json.ts";
import { judgeChanges, judgeDefinition, findSchemaChanges } from "../../../src/schema/crd/index.ts";
import { buildDefinition, parseCrd } from "../../../src/model/crd.ts";
import { readCases } from "../seeds.ts";
import { joinTexts, splitTexts, type FuzzTarget } from "../target.ts";

const CRDS = readCases("crd-skew/cases/*.yaml").flatMap(findDefinitions).slice(0, 60);

/** Definitions of a release, in place of installed ones: judged, whatever they hold. */
export const target: FuzzTarget = {
  seeds: CRDS.map((crd, index) => joinTexts(JSON.stringify(crd), JSON.stringify(CRDS[index + 1] ?? crd))),
  maxBytes: 8192,
  run: (input) => {
    const [definition, installed] = splitTexts(input).map(parseObject);
    if (definition === undefined) return;
    judgeDefinition(definition);
    judgeChanges(definition, new Set(["v1"]));
    const crd = parseCrd(definition);
    if (crd !== undefined) judgeDefinition(buildDefinition(crd));
    if (installed === undefined) return;
    judgeDefinition(definition, installed);
    const [before] = listAt(installed, "spec", "versions");
    const [after] = listAt(definition, "spec", "versions");
    if (isObject(before) && isObject(after)) findSchemaChanges(before, after);
  },
};

function findDefinitions(value: Json): readonly JsonObject[] {
  if (isObject(value) && value["kind"] === "CustomResourceDefinition") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(findDefinitions) : [];
}
