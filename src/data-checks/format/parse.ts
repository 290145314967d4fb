import { type YamlNode, parseNodes } from "../../encoding/yaml-nodes.ts";
import { parseDocuments } from "../../encoding/yaml.ts";
import { type Json, isObject, textAt } from "../../model/json.ts";
import type { CheckDefinition } from "../definition.ts";
import type { CheckFault, PlacedFault } from "../fault.ts";
import { locateFault } from "./locate.ts";
import { judgeShape } from "./shape.ts";
import { buildTextFault, buildYamlFault } from "./text-faults.ts";

/** A text that may hold checks; `name` as people know it: a path, or "ConfigMap NAMESPACE/preflight-checks KEY". */
export type CheckText = { readonly name: string; readonly text: string };

/** One document of a text. `id`: of a document that names one, even if it is not sound. */
export type CheckDocument = {
  readonly id: string | undefined;
  readonly definition: CheckDefinition | undefined;
  readonly faults: readonly CheckFault[];
  readonly locate: (fault: PlacedFault) => CheckFault;
};

/** As OLM's constraints. */
const MAX_CHARACTERS = 64 * 1024;

/** The checks of a text, and what is wrong with it as a whole. */
export async function parseChecks({
  name,
  text,
}: CheckText): Promise<{ readonly checks: readonly CheckDocument[]; readonly faults: readonly CheckFault[] }> {
  const refuse = (message: string): { checks: []; faults: CheckFault[] } => ({
    checks: [],
    faults: [buildTextFault({ name, text }, message)],
  });
  if (text.length > MAX_CHARACTERS) return refuse(`it has more than ${MAX_CHARACTERS / 1024} KiB`);
  const parsed = parseDocuments(text);
  if (parsed.kind === "invalid") return { checks: [], faults: [buildYamlFault({ name, text }, parsed)] };
  if (parsed.documents.length === 0) return refuse("it holds no check");
  const nodes = (parseNodes(text) ?? []).filter((node) => node.kind !== "scalar" || node.text !== "");
  const checks = await Promise.all(
    parsed.documents.map((document, i) => parseCheck({ name, text }, document, nodes[i])),
  );
  return { checks, faults: [] };
}

async function parseCheck(source: CheckText, document: Json, node: YamlNode | undefined): Promise<CheckDocument> {
  const locate = (fault: PlacedFault): CheckFault => locateFault(source, node, fault);
  const shape = await judgeShape(document);
  return {
    id: isObject(document) ? textAt(document, "metadata", "name") : undefined,
    definition: shape.kind === "sound" ? shape.definition : undefined,
    faults: shape.kind === "sound" ? [] : shape.faults.map(locate),
    locate,
  };
}
