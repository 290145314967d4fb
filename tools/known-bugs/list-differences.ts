import { isDeepStrictEqual } from "node:util";
import { readYamlFiles } from "../../src/files/yaml-files.ts";
import type { BugEntry, BugList } from "../../src/checks/known-bugs/known-bug.ts";
import { loadBugList } from "../../src/checks/known-bugs/load-list.ts";
import { formatFault } from "../../src/data-checks/format/fault.ts";
import { sortNames } from "../../src/model/text.ts";

/** Reads a list from a YAML file, or the files of a folder. Throws an Error with every fault. */
export async function readList(path: string): Promise<BugList> {
  const files = (await readYamlFiles(path, { maxBytes: 1 << 20, maxFiles: 1_000, leaveOut: "cases" })) ?? [];
  const texts = files.map((file) => (file.kind === "read" ? file : { name: file.name, text: "" }));
  const { list, faults } = await loadBugList(texts);
  if (list === undefined || faults.length > 0)
    throw new Error(`${path} is no sound list of known bugs\n${faults.map(formatFault).join("\n")}`);
  return list;
}

/** How another list differs from one: a line for its head, and one for each entry. */
export function listDifferences(one: BugList, other: BugList): readonly string[] {
  const entries = indexEntries(one);
  const others = indexEntries(other);
  const head = listChangedFields(one.head, other.head);
  return [
    ...(head.length === 0 ? [] : [`changed  head: ${head.join(", ")}`]),
    ...sortNames([...entries.keys(), ...others.keys()]).flatMap((id) => compareEntry(entries.get(id), others.get(id))),
  ];
}

function indexEntries({ entries }: BugList): ReadonlyMap<string, BugEntry> {
  return new Map(entries.map((entry) => [entry.id, entry]));
}

function compareEntry(entry: BugEntry | undefined, other: BugEntry | undefined): readonly string[] {
  if (other === undefined) return entry === undefined ? [] : [`gone     ${entry.id}: ${entry.name}`];
  if (entry === undefined) return [`new      ${other.id}: ${other.name}`];
  const changed = listChangedFields(entry, other);
  return changed.length === 0 ? [] : [`changed  ${entry.id}: ${changed.join(", ")}`];
}

function listChangedFields(one: object, other: object): readonly string[] {
  const fields = new Map(Object.entries(one));
  const others = new Map(Object.entries(other));
  return sortNames([...fields.keys(), ...others.keys()]).filter(
    (name) => !isDeepStrictEqual(fields.get(name), others.get(name)),
  );
}
