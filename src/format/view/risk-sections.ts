import type { Finding } from "../../model/check.ts";
import { joinNames, sortNames } from "../../model/names.ts";
import type { Report } from "../../model/report.ts";
import { formatOwner } from "../../model/owner.ts";
import { buildRefKey, formatRef } from "../../model/resource.ts";
import type { Card, ObjectCommand, Facts, ObjectEntry, Section } from "../text/page.ts";
import type { RiskBackground, View } from "./view.ts";
import { type Accepted, formatAcceptance, formatLeadTime, groupRisks, type RiskEntry } from "./work-order.ts";

type CardView = Pick<View, "backgrounds">;

/** The risks that were found, in the order of work; accepted ones come last. Those of incomplete checks have their own section. */
export function buildRiskSections(report: Report, view: Accepted & CardView): readonly Section[] {
  const limited = new Set(report.checks.filter(({ omittedFindings }) => omittedFindings).map(({ id }) => id));
  return groupRisks(report, view).map(({ kind, heading, entries }) => ({
    kind: "section",
    heading,
    tone: kind,
    blocks: entries.map((entry) => buildRiskCard(entry, kind, limited.has(entry.risk.check ?? ""), view)),
  }));
}

export function buildRiskCard(
  entry: RiskEntry,
  tone: Card["tone"],
  isLimited: boolean,
  { backgrounds }: CardView,
): Card {
  const { risk, findings, acceptances } = entry;
  return {
    kind: "card",
    title: risk.name,
    tone,
    badge: formatLeadTime(risk),
    quotes: acceptances.map(formatAcceptance),
    text: risk.description,
    objects: buildObjects(findings),
    isLimited,
    remedy: risk.remediation,
    url: risk.url,
    facts: buildFacts(entry, backgrounds?.get(risk.name)),
  };
}

/** Each object once, with its faults and its commands. */
export function buildObjects(findings: readonly Finding[]): readonly ObjectEntry[] {
  const groups = [...Map.groupBy(findings, ({ object }) => buildRefKey(object)).values()];
  return groups.flatMap((own) => {
    const [first] = own;
    if (first === undefined) return [];
    const { kind, namespace, name } = first.object;
    return {
      ref: formatRef(first.object),
      kind,
      name: namespace === undefined ? name : `${namespace}/${name}`,
      places: own,
      details: listDetails(own),
      commands: listCommands(own),
    };
  });
}

/** What checks know besides the message, such as clients and nodes: "clients: system:serviceaccount:shop:sync". */
function listDetails(findings: readonly Finding[]): readonly string[] {
  const details = findings.flatMap(({ detail = {} }) => Object.entries(detail));
  return [...new Set(details.filter(([, text]) => text !== "").map(([name, text]) => `${name}: ${text}`))];
}

function listCommands(findings: readonly Finding[]): readonly ObjectCommand[] {
  const commands = findings.flatMap(({ see = [], fix = [], fixKind }): readonly ObjectCommand[] => [
    ...see.map((text) => ({ kind: "see", text }) as const),
    ...fix.map((text) => ({ kind: "fix", text, fixKind }) as const),
  ]);
  return [...new Map(commands.map((command) => [`${command.kind} ${command.text}`, command])).values()];
}

/** The update service's names, for people who know the risk from there; and what is known of it on any cluster. */
function buildFacts({ risk, findings }: RiskEntry, background: RiskBackground | undefined): readonly Facts[] {
  const names = joinNames(risk.published ?? []);
  const known = [
    ["Concerns", background?.concerns ?? ""],
    ["Releases", background?.releases.join("; ") ?? ""],
    ["How sure", background?.certainty ?? ""],
  ] as const;
  const check = ["Check", risk.check ?? ""] as const;
  return [
    buildRows(["terminal", "wide"], 4, [["Also", names === "" ? "" : `The update service calls it ${names}.`]]),
    buildRows(["wide"], 8, [check, ["Owners", formatOwners(findings)], ["Takes", risk.leadTime ?? ""], ...known]),
    {
      ...buildRows(["html"], 0, [check, ["Owners", formatOwners(findings)], ...known, ["Also called", names]]),
      heading: "More about this risk",
    },
  ];
}

function buildRows(only: Facts["only"], labelWidth: number, rows: Facts["rows"]): Facts {
  return { kind: "facts", only, labelWidth, rows: rows.filter(([, text]) => text !== "") };
}

/** Who owns the objects, since the work is theirs: of each, the first that its marks name; then their namespaces. */
function formatOwners(findings: readonly Finding[]): string {
  const marks = new Set(findings.flatMap(({ owners = [] }) => owners.slice(0, 1).map(formatOwner)));
  const namespaces = sortNames(findings.flatMap(({ object }) => object.namespace ?? []));
  const isClusterScoped = findings.some(({ object }) => object.namespace === undefined);
  return [
    ...marks,
    ...(namespaces.length === 0
      ? []
      : [`${namespaces.length === 1 ? "namespace" : "namespaces"} ${namespaces.join(", ")}`]),
    ...(isClusterScoped ? ["administrators of the cluster"] : []),
  ].join("; ");
}
