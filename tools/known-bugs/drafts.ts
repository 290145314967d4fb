import type { KnownBug } from "../../src/checks/known-bugs/known-bug.ts";
import { type AffectedVersions, isAffected } from "../../src/data-checks/format/definition.ts";
import { toYaml } from "../../src/encoding/yaml.ts";
import { quote, quoteText, summarizeNames } from "../../src/model/text.ts";
import { formatMinor, parseVersion } from "../../src/model/version.ts";
import type { ComparedList } from "./compared-list.ts";
import type { Difference } from "./differences.ts";
import { draftVersions, type PublishedUpdate } from "./draft-versions.ts";
import type { PublishedEdge } from "./graph-data.ts";

/** What a person has to decide or to write. No entry of a list may hold it. */
export const TODO = "TODO";

/** An entry that is not decided. `text`: a YAML list of this one entry, with what was published as comments. */
export type Draft = { readonly id: string; readonly text: string };

const HEAD = `# Written by 'npm run known-bugs:update': what the update service publishes and no entry covers.
# Decide each entry, move it to the file of its subject in the list's folder, and remove it here; the last one with this file.
# certainty: risk, if objects of the cluster show who is affected; else notice.
`;
const MAX_QUOTE_LENGTH = 600;

/** The drafts for what is new, wider or fixed. What is no longer published needs none: entries stay until a person removes them. */
export function draftEntries({ differences, data, bugs }: ComparedList): readonly Draft[] {
  return differences.flatMap((difference): readonly Draft[] => {
    const edges = data.edges.filter(({ name }) => name === difference.name);
    const entries = bugs.filter(({ published }) => published.includes(difference.name));
    switch (difference.kind) {
      case "new":
        return [draftNew(difference.name, edges, draftVersions(edges, data.releases))];
      case "widened":
        return [draftWider(difference, edges, entries, data.releases)];
      case "fixed":
        return entries.flatMap((entry) => draftFixed(difference, entry, edges));
      case "gone":
        return [];
    }
  });
}

/** The entries of a file with drafts. */
export function listDraftIds(text: string): readonly string[] {
  return [...text.matchAll(/^(?:- | {2})id: (\S+)/gm)].map(([, id = ""]) => id);
}

/** The file with the drafts in it, and what it holds already: a person may have begun with it. */
export function addDrafts(text: string, drafts: readonly Draft[]): string {
  const ids = new Set(listDraftIds(text));
  const added = drafts.filter(({ id }) => !ids.has(id)).map((draft) => `\n${draft.text}`);
  return `${text === "" ? HEAD : text}${added.join("")}`;
}

function draftNew(name: string, edges: readonly PublishedEdge[], versions: readonly AffectedVersions[]): Draft {
  return buildDraft(toId(name), name, edges, versions, []);
}

function draftWider(
  { name, updates }: Extract<Difference, { kind: "widened" }>,
  edges: readonly PublishedEdge[],
  entries: readonly KnownBug[],
  releases: ComparedList["data"]["releases"],
): Draft {
  const wider = updates.map(({ target }): PublishedUpdate => {
    const own = edges.filter((edge) => edge.target.text === target.text);
    return {
      target,
      isFrom: (source) =>
        own.some(({ isFrom }) => isFrom(source)) &&
        !entries.some(({ versions }) => isAffected(versions, { source, target })),
    };
  });
  return buildDraft(`${toId(name)}-wider`, name, edges, draftVersions(wider, releases), [
    `Widens ${listIds(entries)}: extend its versions, with a case on each side of the new boundary.`,
  ]);
}

/** The ranges of the fix's own minor, as they stand in the entry. */
function draftFixed(
  { name, fixedIn }: Extract<Difference, { kind: "fixed" }>,
  entry: KnownBug,
  edges: readonly PublishedEdge[],
): readonly Draft[] {
  const fix = parseVersion(fixedIn);
  const minor = fix === undefined ? "" : `${formatMinor(fix)}.`;
  const open = entry.versions.filter(({ first, fixedIn: own }) => own === undefined && first.startsWith(minor));
  const versions = (open.length > 0 ? open : entry.versions.slice(-1)).map((one) => ({ ...one, fixedIn }));
  return [
    buildDraft(toId(`${entry.id}-fixed-in-${fixedIn}`), name, edges, versions, [
      `Ends ${entry.id}: set fixedIn: ${fixedIn} in its range, if it is a release of the same minor.`,
    ]),
  ];
}

function listIds(entries: readonly KnownBug[]): string {
  return entries.map(({ id }) => id).join(" and ");
}

function buildDraft(
  id: string,
  name: string,
  edges: readonly PublishedEdge[],
  versions: readonly AffectedVersions[],
  notes: readonly string[],
): Draft {
  const [first] = edges;
  const comments = [...notes, ...describeEdges(edges)].map((line) => `# ${line}\n`).join("");
  const entry = {
    id,
    name: TODO,
    certainty: TODO,
    published: [name],
    versions,
    title: TODO,
    message: TODO,
    url: first?.url ?? "",
  };
  return { id, text: `${comments}${toYaml([entry])}` };
}

/** What the update service says of whom it warns. */
function describeEdges(edges: readonly PublishedEdge[]): readonly string[] {
  const [first] = edges;
  if (first === undefined) return [];
  const expressions = new Set(edges.flatMap(({ promql }) => (promql === undefined ? [] : quote(promql, 2_000))));
  return [
    `Published: ${quoteText(first.message, MAX_QUOTE_LENGTH)}`,
    `from ${[...new Set(edges.map(({ from }) => quote(from, MAX_QUOTE_LENGTH)))].join(" or ")}`,
    `to ${summarizeNames(edges.map(({ target }) => target.text))}`,
    ...(expressions.size === 0 ? ["It warns every cluster."] : [...expressions].map((one) => `It warns where ${one}`)),
  ];
}

/** "demo-disk-full" of DemoDiskFull, "aws-old-boot-images" of AWSOldBootImages. */
function toId(name: string): string {
  return name
    .replaceAll(/(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, "-")
    .replaceAll(/[^A-Za-z0-9]+/g, "-")
    .toLowerCase();
}
