import assert from "node:assert/strict";
import { findListKind, readYamlObjects } from "../../../src/encoding/yaml-objects.ts";
import { formatError } from "../../../src/model/errors.ts";
import type { JsonObject } from "../../../src/model/json.ts";
import { splitChunks, toStream } from "../chunks.ts";
import type { FuzzTarget } from "../target.ts";

/** The objects of a file are the same in whatever pieces it arrives. */
export const target: FuzzTarget = {
  seeds: [
    "apiVersion: v1\nkind: PodList\nitems:\n- metadata:\n    name: a\n\n  spec: {}\n- metadata:\n    name: b\n---\na: 1\n",
    '{"kind":"List","items":[{"a":1},{"b":[2]}]}',
    "items:\r\n  - a: |\r\n      x\r\n  -\r\n    b: 1\r\nkind: NodeList\r\napiVersion: v1\r\n...\r\n",
  ],
  run: async (input) => {
    const inPieces = await readAll([...splitChunks(input)]);
    assert.deepEqual(inPieces, await readAll([input]));
    assert.deepEqual(await findListKind(toStream(splitChunks(input))), await findListKind(toStream([input])));
  },
};

async function readAll(chunks: readonly Buffer[]): Promise<readonly JsonObject[] | string> {
  const objects: JsonObject[] = [];
  try {
    for await (const object of readYamlObjects(toStream(chunks))) objects.push(object);
    return objects;
  } catch (thrown) {
    const message = formatError(thrown);
    if (/^(?:it |an object |a line )/.test(message)) return message;
    throw thrown;
  }
}
