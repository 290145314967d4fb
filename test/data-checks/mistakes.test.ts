import { strict as assert } from "node:assert";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { formatFault } from "../../src/data-checks/format/fault.ts";
import { loadChecks } from "../../src/data-checks/load.ts";
import { parseDocuments } from "../../src/encoding/yaml.ts";
import { formatYaml } from "../../src/encoding/yaml-format.ts";
import { isObject, listAt, textAt } from "../../src/model/json.ts";

const FILE = join(import.meta.dirname, "mistakes.yaml");
const HEADING = "# Mistakes in a sound check, each alone, and what is said of it. UPDATE=1 rewrites what is said.\n";

type Mistake = Readonly<Record<"kind" | "what" | "from" | "to" | "said", string>>;

function readMistakes(): { readonly sound: string; readonly mistakes: readonly Mistake[] } {
  const parsed = parseDocuments(readFileSync(FILE, "utf8"));
  assert.ok(parsed.kind === "documents");
  const [document] = parsed.documents;
  const mistakes = listAt(document, "mistakes").filter(isObject);
  return { sound: textAt(document, "sound") ?? "", mistakes: mistakes.map(parseMistake) };
}

function parseMistake(one: Parameters<typeof textAt>[0]): Mistake {
  const get = (name: string): string => textAt(one, name) ?? "";
  return { kind: get("kind"), what: get("what"), from: get("from"), to: get("to"), said: get("said") };
}

async function judge(text: string): Promise<string> {
  const { faults } = await loadChecks([{ name: "check.yaml", text }], { kind: "site" }, new Set());
  return faults.map(formatFault).join("\n");
}

const { sound } = readMistakes();

if (process.env["UPDATE"] === "1") {
  const { mistakes } = readMistakes();
  const judged = await Promise.all(
    mistakes.map(async (one) => ({ ...one, said: await judge(sound.replace(one.from, () => one.to)) })),
  );
  writeFileSync(FILE, `${HEADING}${formatYaml({ sound, mistakes: judged })}`);
}

test("nothing is said of a sound check", async () => {
  assert.equal(await judge(sound), "");
});

for (const { kind, what, from, to, said } of readMistakes().mistakes) {
  test(`${kind}: ${what} is found where it is`, async () => {
    const text = sound.replace(from, () => to);
    assert.notEqual(text, sound, "the sound check does not have what the mistake replaces");
    assert.equal(await judge(text), said);
  });
}

test("of 60 mistakes each is found once, at its place, and 50 with a hint", () => {
  const { mistakes } = readMistakes();
  const found = mistakes.filter(({ said }) => /^check\.yaml:\d+:\d+: .*\n.*\n +\| +\^+[^\n]*$/.test(said));
  const hinted = found.filter(({ said }) => /\^ \S/.test(said));
  assert.equal(found.length, mistakes.length);
  assert.ok(found.length >= 60 && hinted.length >= 50, `${found.length}, ${hinted.length} of them with a hint`);
});
