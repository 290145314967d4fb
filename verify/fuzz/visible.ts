import assert from "node:assert/strict";
import { toVisibleOutput } from "../../src/model/visible-text.ts";

/** Nothing in an output hides from its reader. Apart from the loop: code that is loaded before coverage begins is not counted. */
export function requireVisible(output: string, format: string): void {
  assert.equal(toVisibleOutput(output), output, format);
}
