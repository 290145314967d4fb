import { parseDocuments } from "../../encoding/yaml.ts";
import { type Json, parseJson } from "../../model/json.ts";
import { getSteps, valuesAt } from "./paths.ts";
import { testValues, type Truth, atLeast, every, negate, some } from "./value-tests.ts";
import type { ItemTest } from "./known-bug.ts";

/** Tests an object, or a part of it. */
export function testItem(test: ItemTest, item: Json): Truth {
  if ("allOf" in test) return every(test.allOf.map((one) => testItem(one, item)));
  if ("anyOf" in test) return some(test.anyOf.map((one) => testItem(one, item)));
  if ("not" in test) return negate(testItem(test.not, item));
  if ("items" in test) return testItems(test, item);
  if ("parsed" in test) return some(valuesAt(item, test.parsed).map((text) => testText(test, text)));
  return testValues(test, valuesAt(item, test.at));
}

/** The annotations whose values a test of an object compares. */
export function listAnnotations(test: ItemTest): readonly string[] {
  if ("allOf" in test) return test.allOf.flatMap(listAnnotations);
  if ("anyOf" in test) return test.anyOf.flatMap(listAnnotations);
  if ("not" in test) return listAnnotations(test.not);
  if ("items" in test) return listAnnotations(test.where);
  if ("is" in test) return [];
  const keys = getSteps("parsed" in test ? test.parsed : test.at).map((step) => (step.kind === "key" ? step.key : ""));
  return keys.filter((key, i) => key !== "" && keys[i - 1] === "annotations");
}

function testItems(
  { items, where, least }: { readonly items: string; readonly where: ItemTest; readonly least?: number },
  item: Json,
): Truth {
  return atLeast(
    least ?? 1,
    valuesAt(item, `${items}[]`).map((one) => testItem(where, one)),
  );
}

/** An empty text counts as an absent configuration, and not as a broken one. */
function testText({ as, where }: { readonly as: "json" | "yaml"; readonly where: ItemTest }, text: Json): Truth {
  if (typeof text !== "string") return "unknown";
  if (text.trim() === "") return "no";
  const value = as === "json" ? parseJson(text) : parseYaml(text);
  return value === undefined ? "unknown" : testItem(where, value);
}

function parseYaml(text: string): Json | undefined {
  const parsed = parseDocuments(text);
  return parsed.kind === "documents" && parsed.documents.length < 2 ? (parsed.documents[0] ?? null) : undefined;
}
