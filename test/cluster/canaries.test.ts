import assert from "node:assert/strict";
import { test } from "node:test";
import { redact } from "../support/recording-redaction.ts";
import { redactText } from "../../src/model/secrets/redact-text.ts";
import { PLANTED } from "../support/canaries/canaries.ts";
import { buildCanary, findLeaks } from "../support/canaries/leaks.ts";
import { SECRET_KINDS } from "../support/canaries/secret-kinds.ts";

test("there are at least 200 canaries of 40 kinds, each in its object", () => {
  assert.ok(SECRET_KINDS.length >= 40 && PLANTED.length >= 200, `${PLANTED.length} of ${SECRET_KINDS.length} kinds`);
  assert.equal(new Set(PLANTED.map(({ canary }) => canary)).size, PLANTED.length);
  const hidden = PLANTED.filter(
    ({ object, canary }) => !findLeaks(JSON.stringify(object)).some((leak) => isSame(leak, canary)),
  );
  assert.deepEqual(hidden, []);
});

test("no canary is in a recorded object", () => {
  const leaks = PLANTED.filter(({ object }) => findLeaks(JSON.stringify(redact(object))).length > 0);
  assert.deepEqual(
    leaks.map(({ kind, place, object }) => `${kind}, ${place}: ${JSON.stringify(redact(object))}`),
    [],
  );
});

test("no canary is in a sentence that quotes it", () => {
  const sentences = ["{}", "it failed: {}", 'error "{}" (try again)', "{}: connection refused", "a\n{}\nb"];
  const leaks = SECRET_KINDS.flatMap(({ kind, write }) =>
    sentences.flatMap((sentence) => {
      const text = sentence.replace("{}", () => write(buildCanary(99, 99)));
      // Checks quote a message on one line, with other quotation marks.
      return [text, text.replaceAll(/\s+/g, " ").replaceAll('"', "'")].map((one) => `${kind}: ${redactText(one)}`);
    }),
  ).filter((text) => findLeaks(text).length > 0);
  assert.deepEqual(leaks, []);
});

function isSame(leak: string, canary: string): boolean {
  return leak.toLowerCase() === canary.toLowerCase();
}
