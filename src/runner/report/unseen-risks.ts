import type { Context } from "../../model/check.ts";
import { joinNames, sortNames } from "../../model/names.ts";
import type { ReportRisk } from "../../model/report.ts";
import { UNSEEN_RISK_TITLES, UNSEEN_RISKS, type Unseen } from "../../model/unseen.ts";
import { getUnknownUrl } from "./risks.ts";

/** The risks of what was not seen and no check reports. */
export function buildUnseenRisks(unseen: readonly Unseen[], context: Context): readonly ReportRisk[] {
  const open = unseen.filter(({ accepted }) => accepted === undefined);
  const ofRisk = (name: string): readonly Unseen[] => open.filter(({ risk }) => risk === name);
  return [
    ...buildLeftOutRisk(ofRisk(UNSEEN_RISKS.leftOut), context),
    ...ofRisk(UNSEEN_RISKS.minorsBetween).map((one) => buildMinorsRisk(one, context)),
    ...ofRisk(UNSEEN_RISKS.nothingChecked).map(() => buildNothingRisk(context)),
  ];
}

type Texts = Pick<ReportRisk, "description" | "remediation"> & { readonly name: keyof typeof UNSEEN_RISK_TITLES };

function buildRisk(texts: Texts, context: Context): ReportRisk {
  const message = `${texts.description} ${texts.remediation}`;
  return { ...texts, title: UNSEEN_RISK_TITLES[texts.name], message, unknown: true, url: getUnknownUrl(context) };
}

function buildLeftOutRisk(leftOut: readonly Unseen[], context: Context): readonly ReportRisk[] {
  if (leftOut.length === 0) return [];
  const ids = sortNames(leftOut.flatMap(({ check }) => check ?? []));
  const settings = joinNames(sortNames(leftOut.map(({ unknown }) => unknown.where)));
  const [noun, verb] = ids.length === 1 ? ["A check that applies", "was"] : ["Checks that apply", "were"];
  const texts = {
    name: UNSEEN_RISKS.leftOut,
    description: `${noun} to this update ${verb} left out (${settings}): ${ids.join(", ")}.`,
    remediation: `Run preflight without ${settings}, or write down in the file of --config why a check is left out for good ("accept: [{check: ${ids[0] ?? ""}, reason: ...}]").`,
  };
  return [buildRisk(texts, context)];
}

function buildMinorsRisk({ unknown }: Unseen, context: Context): ReportRisk {
  const remediation = "Check and do these updates one after the other.";
  return buildRisk({ name: UNSEEN_RISKS.minorsBetween, description: `${unknown.message}.`, remediation }, context);
}

function buildNothingRisk(context: Context): ReportRisk {
  const texts = {
    name: UNSEEN_RISKS.nothingChecked,
    description: `None of the checks applies to the update from ${context.source.text} to ${context.target.text}, so nothing was checked.`,
    remediation: "Make sure that this is the right target, and read its release notes before updating.",
  };
  return buildRisk(texts, context);
}
