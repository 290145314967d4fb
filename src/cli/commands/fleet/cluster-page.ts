import { dirname, relative, resolve, sep } from "node:path";
import { readTextFile } from "../../../files/named-file.ts";
import type { FleetCluster } from "../../../format/fleet/cluster.ts";
import { formats } from "../../../format/index.ts";
import { selectAcceptedNames, judgeAcceptances } from "../../../format/view/acceptances.ts";
import type { ClusterOrigin } from "../../../format/view/view.ts";
import type { PreflightDocument } from "../../../model/document.ts";
import type { Report } from "../../../model/report.ts";
import { toVisibleOutput } from "../../../model/visible-text.ts";
import { publish } from "../../../publish/atomic-file.ts";
import { listKnownChecks } from "../../checks/check-set.ts";
import { buildRiskBackgrounds } from "../../checks/risk-background.ts";
import { collectAcceptances } from "../../session/acceptances.ts";
import type { LoadedFleetValues } from "./definition.ts";

/** What a cluster's page is made of, and the file of its result. */
type PageInput = {
  readonly file: string;
  readonly report: Report;
  readonly document: PreflightDocument;
  readonly origin: ClusterOrigin | undefined;
};

/** Writes the cluster's page beside its result, if the fleet has a page in a file, which leads to it. */
export async function writeClusterPage(input: PageInput, values: LoadedFleetValues): Promise<void> {
  if (!values.output.files.some(({ format }) => format === "html")) return;
  const { file, report, document, origin } = input;
  const acceptances = judgeAcceptances(collectAcceptances(values), report);
  const page = formats.html({
    report,
    document,
    cluster: origin,
    hasUnknownRisks: values["unknown-risks"],
    acceptances,
    accepted: selectAcceptedNames(acceptances),
    backgrounds: buildRiskBackgrounds(listKnownChecks(values.checkSet), report),
    colour: false,
    width: 0,
  });
  await publish(getPagePath(file), toVisibleOutput(page));
}

function getPagePath(file: string): string {
  return file.replace(/\.json$/, ".html");
}

const MAX_BYTES = 64 * 1024 * 1024;

/** The paths of the clusters' pages, by the names of the clusters. A page of another result than the cluster's is left out. */
export async function findClusterPages(clusters: readonly FleetCluster[]): Promise<ReadonlyMap<string, string>> {
  const pages = new Map<string, string>();
  for (const { name, file, observedAt } of clusters) {
    if (file === undefined || observedAt === undefined || !file.endsWith(".json")) continue;
    const path = getPagePath(file);
    const text = await readTextFile(path, MAX_BYTES).catch(() => "");
    if (text.includes(`<time datetime="${observedAt}">`)) pages.set(name, path);
  }
  return pages;
}

/** The addresses of pages as seen from a file. */
export function buildPageLinks(pages: ReadonlyMap<string, string>, file: string): ReadonlyMap<string, string> {
  const links = [...pages].map(([name, path]) => {
    const way = relative(dirname(resolve(file)), resolve(path));
    return [name, way.split(sep).map(encodeURIComponent).join("/")] as const;
  });
  return new Map(links);
}
