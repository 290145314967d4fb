import { getUnknownRiskName } from "../../model/check.ts";
import { formatCount, sortNames } from "../../model/text.ts";
import type { CheckReport, Report } from "../../model/report.ts";
import { formatUnknown } from "../document/document-checks.ts";
import { getResultTime } from "../../model/document.ts";
import type { ResultPlace, ResultRisk } from "../result/result.ts";
import { type Cell, type Column, buildRiskTable, formatPlace, getCell, readReport } from "../result/risk-table.ts";
import type { Recheck, RecheckedRisk, RecheckState } from "../view/recheck-page.ts";
import { compareRisks } from "../view/view.ts";
import type { ComparedResult } from "./compared-result.ts";

type Looks = { readonly before: ComparedResult; readonly report: Report; readonly accepted: ReadonlySet<string> };

/** What became of each risk of an earlier result, and what is new beside it. Only a check that was completed again mends anything. */
export function buildRecheck({ before, report, accepted }: Looks, isAll: boolean): Recheck {
  const column = readReport(report, accepted);
  const now: Column = { ...column, risks: column.risks.filter(({ unknown }) => !unknown) };
  const { risks } = buildRiskTable<Column>([before, now]);
  const found = risks.map((risk) => compareRisk(getCell(before, risk), getCell(now, risk), risk, report));
  const ordered = found.toSorted(([a], [b]) => compareRisks(a, b)).map(([, rechecked]) => rechecked);
  const all = [
    ...ordered,
    ...report.checks.flatMap((check) => compareCompletion(check, before, accepted)),
    ...listWhole(report, accepted),
  ];
  return {
    label: before.label,
    observedAt: getResultTime(before),
    isAll,
    risks: STATES.flatMap((state) => all.filter((risk) => risk.state === state)),
  };
}

const STATES: readonly RecheckState[] = ["new", "stillThere", "unknown", "fixed"];

function compareRisk(
  old: Cell,
  now: Cell,
  risk: ResultRisk,
  { checks }: Pick<Report, "checks">,
): readonly [ResultRisk, RecheckedRisk] {
  const own = now.risk ?? old.risk ?? risk;
  const common = {
    name: own.name,
    check: own.check ?? risk.check,
    isAccepted: now.risk?.isAccepted === true,
    objects: listObjects(own),
  };
  if (now.risk === undefined) {
    const check = checks.find(({ id }) => id === common.check);
    const isMended = now.kind === "clear" || now.kind === "notApplicable";
    return [
      own,
      isMended
        ? { ...common, state: "fixed" }
        : { ...common, state: "unknown", note: describeUndecided(check, common.check) },
    ];
  }
  if (old.risk === undefined) {
    const wasSeen = old.kind === "clear" || old.kind === "notApplicable";
    return [own, { ...common, state: "new", note: wasSeen ? undefined : "not looked for before" }];
  }
  return [own, { ...common, state: "stillThere", mended: countMended(old.risk, now.risk) }];
}

/** Each object once: "shop/checkout". */
function listObjects({ places = [] }: Pick<ResultRisk, "places">): readonly string[] {
  return sortNames(
    places.map(({ object: { namespace, name } }) => (namespace === undefined ? name : `${namespace}/${name}`)),
  );
}

/** How much of a risk is mended; undefined if nothing is, or if a result does not name all of its objects. */
function countMended(old: ResultRisk, now: ResultRisk): RecheckedRisk["mended"] {
  if (old.omittedPlaces + now.omittedPlaces > 0 || old.places === undefined || now.places === undefined)
    return undefined;
  const objects = countGone(old.places, now.places, ({ object }) => formatPlace({ object }));
  if (objects.count > 0) return { ...objects, what: "object" };
  const fields = countGone(old.places, now.places, formatPlace);
  return fields.count > 0 ? { ...fields, what: "field" } : undefined;
}

function countGone(
  old: readonly ResultPlace[],
  now: readonly ResultPlace[],
  nameOf: (place: ResultPlace) => string,
): { readonly count: number; readonly of: number } {
  const left = new Set(now.map(nameOf));
  const before = [...new Set(old.map(nameOf))];
  return { count: before.filter((one) => !left.has(one)).length, of: before.length };
}

function describeUndecided(check: CheckReport | undefined, id = "its check"): string {
  if (check?.leftOut === undefined || check.outcome.kind !== "unknown") return `${id} could not be completed`;
  return check.outcome.unknowns.map(({ message }) => message.replace(/^the check/, id)).join("; ");
}

/** Whether a check could be completed, if it could not before or can't now. */
function compareCompletion(
  check: CheckReport,
  before: ComparedResult,
  accepted: ReadonlySet<string>,
): readonly RecheckedRisk[] {
  const { id, outcome, leftOut } = check;
  const old = before.checks.get(id);
  const wasIncomplete = old?.outcome === "unknown" && !old.isLeftOut;
  const name = getUnknownRiskName(check);
  const common = { name, check: id, isIncomplete: true, isAccepted: accepted.has(name), objects: [] };
  if (outcome.kind !== "unknown")
    return wasIncomplete ? [{ ...common, state: "fixed", note: `${id} could be completed` }] : [];
  if (leftOut !== undefined)
    return wasIncomplete ? [{ ...common, state: "unknown", note: describeUndecided(check, id) }] : [];
  const [first, ...others] = outcome.unknowns.map(formatUnknown);
  const more = others.length === 0 ? "" : `, and ${formatCount(others.length, "more cause")}`;
  return [{ ...common, state: "unknown", note: `${first ?? `${id} could not be completed`}${more}` }];
}

/** What concerns the whole result, such as minors between. */
function listWhole({ unseen }: Pick<Report, "unseen">, accepted: ReadonlySet<string>): readonly RecheckedRisk[] {
  return unseen.flatMap(({ check, risk, unknown }) =>
    check === undefined
      ? [
          {
            name: risk,
            state: "unknown",
            isIncomplete: true,
            isAccepted: accepted.has(risk),
            objects: [],
            note: unknown.message,
          } as const,
        ]
      : [],
  );
}
