import schema from "../../schemas/preflight-check-v1alpha1.schema.json" with { type: "json" };
import { CLUSTER_FACTS } from "../../src/data-checks/compile/cluster-facts.ts";
import { COMMAND_NAMES, RISK_NAMES, listRuleNames, type Names } from "../../src/data-checks/compile/names.ts";
import { CHECK_FUNCTIONS } from "../../src/data-checks/functions/table.ts";
import { formatCode } from "../../src/format/text/markdown-text.ts";
import { isObject, type Json, type JsonObject, listAt, objectAt, textAt, textsAt } from "../../src/model/json.ts";
import { typeText } from "../../src/schema/cel/index.ts";
import { FACT_TEXTS, NAME_TEXTS } from "./check-names.ts";
import { FUNCTION_TEXTS } from "./function-texts.ts";
import { formatPage, formatTable } from "../../verify/shared/markdown.ts";

/** docs/check-format.md: every field, name and function of a check that is data. */
export function formatCheckFormatPage(heading: string): string {
  return formatPage(
    heading,
    "# The format of a check",
    "[Writing a check](writing-a-check.md) explains it step by step. Editors check it with [the schema](../schemas/preflight-check-v1alpha1.schema.json), and `preflight checks lint` with all that it says below.",
    "## What stays",
    "`v1alpha1` may still change: a field, a name or a function can get another one, which the [changelog](../CHANGELOG.md) names. The old one then works for at least two minor versions of preflight, as `target.ordinal` does, and `preflight checks migrate` rewrites it.",
    "When `v1` comes, a check of `v1alpha1` that `migrate` leaves as it is becomes one of `v1` by its `apiVersion` alone, and by the label of its ConfigMap. Preflight reads both for at least twelve months and two minor versions after the first release with `v1`. What a check of `v1` says of a cluster then changes only if it said something wrong.",
    "A format that this preflight does not know, and a check for a later one (`requires`), is unknown: never clear, and never left out.",
    "## Fields",
    "CEL is an expression, and a text may hold expressions as `${...}`.",
    ...listObjects().map(formatObject),
    "## Names",
    "What expressions see. Of a release, such as `target`, they see its fields.",
    formatNames(),
    "### Facts of the cluster",
    formatTable(
      ["name", "what it is"],
      [
        ["`cluster.distribution`", "`openshift` or `kubernetes`"],
        ...Object.keys(CLUSTER_FACTS).map((name) => [`\`cluster.${name}\``, FACT_TEXTS[name] ?? ""]),
      ],
    ),
    "## Functions",
    "Those of the API server's ValidatingAdmissionPolicies are there, and some more. A value that is called as `OPTIONAL` may be absent.",
    ...Object.entries(FUNCTION_TEXTS).flatMap(([group, texts]) => [
      `### ${group}`,
      formatTable(
        ["call", "what it is"],
        Object.entries(texts).map(([name, text]) => [formatCalls(name), text]),
      ),
    ]),
  );
}

type Described = { readonly title: string; readonly definition: JsonObject };

const TITLES: Readonly<Record<string, string>> = {
  read: "A read: `spec.reads.NAME`",
  affected: "Versions: an item of `spec.applies.versions`",
  risk: "A risk: an item of `spec.risks`",
  finding: "A finding: an item of a risk's `findings`",
  command: "A command: an item of a risk's `see` and `fix`",
  commandObject: "Another object of a command",
  notice: "A notice: an item of `spec.notices`",
  unknown: "An unknown: an item of `spec.unknowns`",
};

/** The maps with fields, from the check down to its parts. */
function listObjects(): readonly Described[] {
  const spec = objectAt(schema, "properties", "spec");
  const own = objectAt(spec, "properties");
  const items = (name: string): JsonObject => objectAt(own, name, "items");
  return [
    { title: "A check", definition: schema },
    { title: "`metadata`", definition: objectAt(schema, "properties", "metadata") },
    { title: "`spec`", definition: spec },
    { title: "`spec.requires`", definition: objectAt(own, "requires") },
    { title: "`spec.applies`", definition: objectAt(own, "applies") },
    { title: "A variable: an item of `spec.variables`", definition: items("variables") },
    { title: "A reason not to apply: an item of `spec.notApplicable`", definition: items("notApplicable") },
    ...Object.entries(TITLES).map(([name, title]) => ({ title, definition: objectAt(schema, "definitions", name) })),
  ];
}

function formatObject({ title, definition }: Described): string {
  const required = new Set(textsAt(definition, "required"));
  const fields = Object.entries(objectAt(definition, "properties"));
  const rows = fields.map(([name, field]) => {
    const resolved = isObject(field) ? resolve(field) : {};
    return [
      `\`${name}\`${required.has(name) ? " (required)" : ""}`,
      (textAt(resolved, "description") ?? "").replaceAll("<", "&lt;"),
      describeForm(resolved),
    ];
  });
  return `### ${title}\n\n${formatTable(["field", "what it is", "form"], rows)}`;
}

/** With what it refers to. */
function resolve(field: JsonObject): JsonObject {
  const name = textAt(field, "$ref")?.split("/").at(-1);
  return name === undefined ? field : { ...objectAt(schema, "definitions", name), ...field };
}

const KINDS: Readonly<Record<string, string>> = {
  string: "text",
  object: "map",
  array: "list",
  boolean: "true or false",
};

function describeForm(field: JsonObject): string {
  const values = [field["const"], ...listAt(field, "enum")].filter((value) => value !== undefined).map(formatValue);
  if (values.length > 0) return values.join(", ");
  const ofItems = textsAt(resolve(objectAt(field, "items")), "enum");
  const kind = KINDS[textAt(field, "type") ?? ""] ?? "";
  const limit = findLimit(field);
  return [
    ofItems.length === 0 ? kind : `${kind} of ${ofItems.map(formatCode).join(", ")}`,
    ...(limit === undefined ? [] : [limit]),
  ].join(", ");
}

/** Without quotes, as in YAML. */
function formatValue(value: Json): string {
  return formatCode(typeof value === "string" ? value : JSON.stringify(value));
}

const LIMITS = { maxLength: "characters", maxItems: "entries", maxProperties: "entries" } as const;

function findLimit(field: JsonObject): string | undefined {
  for (const [name, unit] of Object.entries(LIMITS)) {
    const most = field[name];
    if (typeof most === "number") return `at most ${most} ${unit}`;
  }
  return undefined;
}

function formatNames(): string {
  const inRules = new Set(["object", ...listNames(listRuleNames({}))]);
  const all = [...new Set([...inRules, ...listNames(RISK_NAMES.message), ...listNames(COMMAND_NAMES)])];
  const mark = (names: Iterable<string>, name: string): string => (new Set(names).has(name) ? "yes" : "");
  return formatTable(
    ["name", "what it is", "in rules", "in a risk's message", "in its remediation", "in commands"],
    all.map((name) => [
      `\`${name}\``,
      NAME_TEXTS[name] ?? "",
      mark(inRules, name),
      mark(listNames(RISK_NAMES.message), name),
      mark(listNames(RISK_NAMES.remediation), name),
      mark(listNames(COMMAND_NAMES), name),
    ]),
  );
}

function listNames(names: Names): readonly string[] {
  return names.map(([name]) => name).filter((name) => !name.startsWith("@"));
}

/** By its signatures; a macro stands as it is called. */
function formatCalls(name: string): string {
  const overloads = name.includes("(") ? [] : (CHECK_FUNCTIONS.find(name) ?? []);
  const calls = overloads.map(({ isMethod, args }) => {
    const types = args.map((arg) => TYPES[typeText(arg)] ?? typeText(arg));
    return isMethod ? `${types[0] ?? ""}.${name}(${types.slice(1).join(", ")})` : `${name}(${types.join(", ")})`;
  });
  const [first = name, ...others] = [...new Set(calls)];
  return [first, ...others]
    .slice(0, MOST_CALLS)
    .map((call) => `\`${call}\``)
    .join(", ");
}

/** Signatures for many types differ by them alone. */
const MOST_CALLS = 2;

const TYPES: Readonly<Record<string, string>> = {
  dyn: "any",
  "kubernetes.Quantity": "quantity",
  "kubernetes.Semver": "version",
  "kubernetes.URL": "url",
  "kubernetes.NamedFormat": "format",
  "net.IP": "ip",
  "net.CIDR": "cidr",
  "optional_type(dyn)": "optional",
  "optional_type(V)": "optional",
};
