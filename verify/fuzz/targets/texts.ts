import assert from "node:assert/strict";
import { isVisibleLine, toLine, toVisible, toVisibleOutput, toVisibleText } from "../../../src/model/visible-text.ts";
import { parseObject } from "../../../src/model/json.ts";
import { HOSTILE } from "../../shared/hostile-text.ts";
import type { FuzzTarget } from "../target.ts";

/** A text that was made visible stays the same when that is done again. */
export const target: FuzzTarget = {
  seeds: [HOSTILE, JSON.stringify({ [HOSTILE]: [HOSTILE, { a: "\t\r\n::error::x ##vso[task] ##[group]" }] })],
  run: (input) => {
    const text = input.toString("utf8");
    for (const change of [toVisibleText, toLine, toVisibleOutput]) {
      const changed = change(text);
      assert.equal(change(changed), changed);
    }
    assert.ok(isVisibleLine(toLine(text)));
    const value = toVisible(parseObject(text));
    assert.deepEqual(toVisible(value), value);
  },
};
