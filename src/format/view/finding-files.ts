import type { Finding } from "../../model/check.ts";
import type { CheckedFiles, FindingFile } from "../../model/finding-file.ts";
import { formatManifestPlace } from "../../model/manifest.ts";
import { formatOwner, type Owner, type OwnerKind } from "../../model/owner.ts";
import { formatRef } from "../../model/resource.ts";
import { formatCount, joinNames, summarizeNames } from "../../model/text.ts";
import type { Block, Item } from "../text/page.ts";

/** Where the object of findings stands in files, what they make of its faults, and who deploys it. */
export function listFileTexts(findings: readonly Finding[], files: CheckedFiles | undefined): readonly string[] {
  if (files === undefined) return [];
  const places = findings.flatMap((finding) => (finding.files ?? []).map((file) => formatFile(file, finding)));
  const deployers = findings.flatMap(({ owners = [] }) => owners.filter(isDeployer)).map(formatDeployer);
  return [...new Set([...places, ...deployers])];
}

function formatFile({ place, state, remedy = "" }: FindingFile, { path = "" }: Finding): string {
  const where = formatManifestPlace(place);
  switch (state) {
    case "faulty":
      return `${where} has the fault too and brings it back${remedy === "" ? "" : `: ${remedy}`}`;
    case "mended":
      return `${where} is mended already: apply it`;
    case "unset":
      return `${where} does not set ${path}: an apply may leave it in the cluster`;
    case "open":
      return where;
  }
}

const SYNCS = "brings back what its source has";

/** Who writes an object again, and when. Other owners only say whose it is. */
const DEPLOYERS: Readonly<Partial<Record<OwnerKind, string>>> = {
  argoApplication: SYNCS,
  fluxKustomization: SYNCS,
  fluxHelmRelease: SYNCS,
  helmRelease: "brings back what its chart has with its next upgrade",
};

function isDeployer({ kind }: Owner): boolean {
  return DEPLOYERS[kind] !== undefined;
}

function formatDeployer(owner: Owner): string {
  return `${formatOwner(owner)} ${DEPLOYERS[owner.kind] ?? ""}`;
}

/** What the files have besides: objects without one, faults of their own, and what could not be read. */
export function buildFilesSection(files: CheckedFiles | undefined): readonly Block[] {
  return files === undefined
    ? []
    : [{ kind: "section", heading: "Files", isUncounted: true, blocks: [{ kind: "list", items: listItems(files) }] }];
}

/** More than this many help nobody on a page. */
const MAX_UNREAD = 10;

function listItems(files: CheckedFiles): readonly Item[] {
  const { paths, objects, unread, withoutFile } = files;
  const names = summarizeNames(withoutFile.map(formatRef));
  const more = unread.length - MAX_UNREAD;
  return [
    { text: `${formatCount(objects, "object")} in ${joinNames(paths)}` },
    ...(withoutFile.length === 0 ? [] : [{ text: `In none of them: ${names}` }]),
    ...unread.slice(0, MAX_UNREAD).map(({ place, message }) => ({
      text: `Not read, so objects may stand there: ${formatManifestPlace(place)}: ${message}`,
    })),
    ...(more > 0 ? [{ text: `and ${more} more that were not read (all with -o json)` }] : []),
    ...listJudgedFiles(files),
  ];
}

/** What the files have beside the findings, and what nobody knows of them. */
function listJudgedFiles({ otherFaults, notJudged, command }: CheckedFiles): readonly Item[] {
  const faults = `${formatCount(otherFaults, "fault")} of these files ${otherFaults === 1 ? "is" : "are"} not in the cluster`;
  const open = `${formatCount(notJudged, "object")} of these files could not be judged`;
  const texts = [...(otherFaults === 0 ? [] : [faults]), ...(notJudged === 0 ? [] : [open])];
  return texts.map((text) => ({ text: [`${text}: `, { code: command }] }));
}
