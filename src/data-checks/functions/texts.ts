import { joinNames, sortNames, summarizeNames, quote } from "../../model/text.ts";
import type { FunctionImplementation, FunctionRows, CelValue, FunctionRow, Meter } from "../../schema/cel/index.ts";
import {
  BYTES,
  READS_ONCE,
  countMemory,
  countWork,
  traverseAll,
  getListValues,
  NO_OVERLOAD,
  isList,
  toText,
  onText,
  definePatternFunction,
  findMapValue,
  getMapKeys,
  jsonToValue,
  OPTIONAL_NONE,
  buildError,
  buildList,
  buildOptional,
  isMap,
} from "../../schema/cel/index.ts";
import { parseDocuments } from "../../encoding/yaml.ts";
import { buildMap } from "./values.ts";
import { MAX_DEPTH, isDeeperThan, parseJson } from "../../model/json.ts";

/** The text of a value that may stand in a sentence: a text, an int or a bool. */
export function formatPart(value: CelValue): string | undefined {
  if (typeof value === "string") return value;
  return typeof value === "bigint" || typeof value === "boolean" ? String(value) : undefined;
}

/** Names are sorted. */
const NAME_WORK = 3;
const LETTER_WORK = 0.2;

function onNames(format: (names: readonly string[]) => string): FunctionImplementation {
  return ([list = null], meter) => {
    const values = isList(list) ? getListValues(list) : [null];
    for (const value of values) {
      const length = typeof value === "string" ? value.length : 1;
      countWork(meter, NAME_WORK + length * LETTER_WORK);
      countMemory(meter, BYTES.scalar + length);
    }
    const names = values.map(formatPart).filter((name) => name !== undefined);
    return names.length < values.length ? NO_OVERLOAD : format(names);
  };
}

const MOST_QUOTED = 1_000n;

function quoteText([text, most]: readonly CelValue[], meter: Meter): CelValue {
  if (typeof text !== "string" || typeof most !== "bigint" || most < 1n || most > MOST_QUOTED) return NO_OVERLOAD;
  countWork(meter, text.length * LETTER_WORK);
  countMemory(meter, 2 * BYTES.item * text.length);
  return quote(text, Number(most));
}

function choosePlural([count, one, many]: readonly CelValue[]): CelValue {
  if (typeof count !== "bigint" || typeof one !== "string" || typeof many !== "string") return NO_OVERLOAD;
  return count === 1n ? one : many;
}

const traverseAllAndOne: FunctionRow["cost"] = (args, result, meter) => traverseAll(args, result, meter) + 1;

export const TEXT_FUNCTIONS: FunctionRows = {
  names: {
    types: "(list(dyn)) string",
    call: onNames((names) => summarizeNames(sortNames(names))),
    cost: traverseAllAndOne,
  },
  listed: { types: "(list(dyn)) string", call: onNames(joinNames), cost: traverseAllAndOne },
  quote: { types: "(string, int) string", ...READS_ONCE, call: quoteText },
  plural: { types: "(int, string, string) string", call: choosePlural },
};

/** What the first group of the first match captures, or the whole match if there is no group. */
const CAPTURE = definePatternFunction((regex, text) => {
  const matcher = regex.matcher(text);
  if (regex.groupCount() > 1) return buildError("the pattern of capture() has more than one group");
  if (!matcher.find()) return OPTIONAL_NONE;
  const captured = matcher.group(regex.groupCount());
  return captured === null ? OPTIONAL_NONE : buildOptional(captured);
});

/** Every value in a value that is neither map nor list, with its path: the keys and positions, with dots between them. */
function listLeaves(value: CelValue, path: readonly string[], meter: Meter): readonly CelValue[] {
  countWork(meter, LEAF_WORK);
  countMemory(meter, 3 * BYTES.item * (path.length + 1));
  if (isList(value)) return getListValues(value).flatMap((item, i) => listLeaves(item, [...path, String(i)], meter));
  if (isMap(value))
    return getMapKeys(value).flatMap((key) =>
      listLeaves(findMapValue(value, key) ?? null, [...path, formatKey(key)], meter),
    );
  const text = path.join(".");
  countMemory(meter, 3 * BYTES.entry + text.length);
  return [
    buildMap([
      ["path", text],
      ["value", value],
    ]),
  ];
}

const LEAF_WORK = 5;

function formatKey(key: CelValue): string {
  const text = toText(key);
  return typeof text === "string" ? text : "?";
}

const PERCENT = /^(\d{1,9})%$/;

/** A number as it is, and a percentage of the total, rounded down, as Kubernetes scales both. */
function scale([value = null, total]: readonly CelValue[]): CelValue {
  if (typeof total !== "bigint") return NO_OVERLOAD;
  if (typeof value === "bigint") return value;
  if (typeof value !== "string") return NO_OVERLOAD;
  const percent = PERCENT.exec(value)?.[1];
  return percent === undefined
    ? buildError(`${JSON.stringify(value)} is neither a number nor a percentage`)
    : (BigInt(percent) * total) / 100n;
}

function toJson(text: string, meter: Meter): CelValue {
  countMemory(meter, text.length * JSON_BYTES);
  countWork(meter, text.length * JSON_WORK);
  const json = parseJson(text);
  if (json === undefined) return buildError("the text is not JSON");
  return isDeeperThan(json, MAX_DEPTH) ? buildError("the JSON is nested too deeply") : jsonToValue(json);
}

/** Of a character of a text that is parsed, and of one that aliases stand for. */
const JSON_WORK = 0.3;
const JSON_BYTES = 40;
const YAML_WORK = 3;
const YAML_BYTES = 24;
const EXPANSION_WORK = 0.3;

/** Characters and values that a text's aliases may add. */
const MOST_ADDED = 1 << 20;

/** An empty text is null. */
function toYaml(text: string, meter: Meter): CelValue {
  countWork(meter, text.length * YAML_WORK);
  const expansion = { limit: text.length + MOST_ADDED, size: 0 };
  const parsed = parseDocuments(text, expansion);
  countMemory(meter, expansion.size * YAML_BYTES);
  countWork(meter, expansion.size * EXPANSION_WORK);
  if (parsed.kind === "invalid") return buildError(`the text is not YAML: ${parsed.message}`);
  const [document = null, ...others] = parsed.documents;
  return others.length > 0 ? buildError("the text has several YAML documents") : jsonToValue(document);
}

export const PARSING_FUNCTIONS: FunctionRows = {
  capture: { types: "(string, string) optional_type(string)", ...CAPTURE },
  leaves: {
    types: "(dyn) list(map(string, dyn))",
    call: ([value = null], meter) => buildList(listLeaves(value, [], meter)),
    cost: traverseAllAndOne,
  },
  scaled: { types: "(dyn, int) int", call: scale },
  parseJson: { types: "(string) dyn", ...READS_ONCE, call: onText(toJson) },
  parseYaml: { types: "(string) dyn", ...READS_ONCE, call: onText(toYaml) },
};
