import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { COMMANDS } from "../../src/cli/commands/index.ts";
import { formatManPage } from "../../tools/pages/man-page.ts";

const PAGE = formatManPage("Generated.", COMMANDS);

test("the man page has every command and every flag", () => {
  for (const { name, settings } of COMMANDS) {
    if (name !== "run") assert.match(PAGE, new RegExp(`^\\.SS "preflight ${name.replaceAll("-", "\\\\-")}`, "m"));
    for (const flag of Object.keys(settings)) assert.ok(PAGE.includes(flag.replaceAll("-", "\\-")), flag);
  }
});

test("no line of text is taken for a request or loses an escape", () => {
  const requests = PAGE.split("\n").filter((line) => /^['.]/.test(line));
  for (const line of requests) assert.match(line, /^\.(?:\\"|TH|SH|SS|PP|TP|RS|RE|nf|fi|br|nh|ad|B|I)(?: |$)/);
  assert.doesNotMatch(PAGE, /\\(?![-e&(]|")/);
});

test("groff renders it without a warning", (t) => {
  const { error, stderr, status } = spawnSync("groff", ["-man", "-ww", "-Tutf8"], { input: PAGE, encoding: "utf8" });
  if (error) return t.skip("groff is not installed");
  assert.deepEqual([status, stderr], [0, ""]);
});
