import type { CompiledCheck } from "../../../../data-checks/compile/compile.ts";
import type { CompiledRead } from "../../../../data-checks/compile/reads.ts";
import type { AffectedVersions, CheckDefinition } from "../../../../data-checks/definition.ts";
import { ITEMS, type ReadFields, type UsedFields } from "../../../../data-checks/fields.ts";
import type { Check } from "../../../../model/check.ts";
import { formatGroupResource, formatResource } from "../../../../model/resource.ts";
import { formatApplicability, formatPlatforms } from "../../../checks/check-metadata.ts";

const COLUMNS = 12;
const INDENT = "  ";

/** What a check is about, reads and needs, whatever a cluster holds. */
export function formatDefinition(check: Check, { spec }: CheckDefinition, { reads, fields }: CompiledCheck): string {
  const lines = [
    `${check.id}: ${check.title}`,
    "",
    formatRow("Updates", formatApplicability(check.applies)),
    formatRow("Platforms", formatPlatforms(check)),
    ...(spec.applies.versions ?? []).map((one) => formatRow("Releases", formatVersions(one))),
    ...(spec.applies.knownUpTo === undefined ? [] : [formatRow("Known to", spec.applies.knownUpTo)]),
    "",
    "Reads, and the fields of each object that are kept:",
    ...reads.flatMap((read) => formatRead(read, fields.get(read.key))),
    "",
    "Rights:",
    ...[...new Set(reads.map(formatRight))].toSorted().map((right) => `${INDENT}${right}`),
  ];
  return `${lines.join("\n")}\n`;
}

function formatRow(label: string, text: string): string {
  return `${`${label}:`.padEnd(COLUMNS)}${text}`;
}

function formatVersions({ first, last, sources = [], fixedIn }: AffectedVersions): string {
  const from = sources.map((range) => {
    const parts = [
      ...(range.from === undefined ? [] : [`from ${range.from}`]),
      ...(range.before === undefined ? [] : [`before ${range.before}`]),
    ];
    return parts.join(" ");
  });
  const updates = from.length === 0 ? "" : `, updated ${from.join(" or ")}`;
  return `${first} to ${last}${updates}${fixedIn === undefined ? "" : ` (fixed in ${fixedIn})`}`;
}

function formatRead({ key, definition, resource }: CompiledRead, fields: ReadFields | undefined): readonly string[] {
  const { list, name, when, where, index = {} } = definition;
  const what =
    list === undefined ? `get ${formatResource(resource)} ${name ?? ""}` : `list ${formatResource(resource)}`;
  const conditions = [
    ...(when === undefined ? [] : [`if ${toOneLine(when)}`]),
    ...(where === undefined ? [] : [`where ${toOneLine(where)}`]),
    ...Object.entries(index).map(([own, text]) => `by ${own}: ${toOneLine(text)}`),
  ];
  const kept = fields === undefined ? [] : listFields(fields.kept).filter((path) => !REFERENCE.has(path));
  return [
    `${INDENT}${key.replace(/^@/, "cluster: ")}: ${what}`,
    ...conditions.map((line) => `${INDENT.repeat(2)}${line}`),
    `${INDENT.repeat(2)}keeps ${kept.join(", ") || "its name"}`,
  ];
}

function toOneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}

/** What names an object is kept of each. */
const REFERENCE = new Set(["apiVersion", "kind", "metadata.name", "metadata.namespace"]);

function listFields({ isWhole, members }: UsedFields, path = ""): readonly string[] {
  if (isWhole || members.size === 0) return path === "" ? ["the whole object"] : [path];
  return [...members].flatMap(([name, inner]) => {
    if (name === ITEMS) return listFields(inner, `${path}[]`);
    return listFields(inner, path === "" ? name : `${path}.${name}`);
  });
}

function formatRight({ definition, resource }: CompiledRead): string {
  const kind = formatGroupResource(resource);
  return definition.list === undefined ? `get ${kind} ${definition.name ?? ""}` : `list ${kind}`;
}
