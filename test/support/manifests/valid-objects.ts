import { createReadStream } from "node:fs";
import { join } from "node:path";
import { readYamlObjects } from "../../../src/encoding/yaml-objects.ts";
import type { JsonObject } from "../../../src/model/json.ts";

const FILE = join(import.meta.dirname, "../../manifests/judges/valid-objects.yaml");

/** Objects of Kubernetes' own kinds with most of their fields; every API server takes them. */
export async function loadValidObjects(): Promise<readonly JsonObject[]> {
  const objects: JsonObject[] = [];
  for await (const object of readYamlObjects(createReadStream(FILE))) objects.push(object);
  return objects;
}
