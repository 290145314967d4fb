import { wrapText } from "../../../format/text/wrapping.ts";
import { UNSEEN_RISK_TITLES } from "../../../model/unseen.ts";
import { formatRows } from "./rows.ts";

/** A risk that concerns the whole result: what it means, and what to do. */
type UnseenExplanation = {
  readonly name: keyof typeof UNSEEN_RISK_TITLES;
  readonly means: string;
  readonly remedy: string;
};

export const UNSEEN_EXPLANATIONS: readonly UnseenExplanation[] = [
  {
    name: "PreflightChecksLeftOut",
    means: "--only or --skip left out checks that apply to the update. What they would find is not known.",
    remedy:
      'Run preflight without these settings. To leave a check out for good, write down why in the file of --config: "accept: [{check: ID, reason: ..., until: 2026-12-31}]". "--fail-on risk" is for scripts that want only the risks of the checks that ran.',
  },
  {
    name: "PreflightMinorsBetween",
    means:
      "Minors lie between the cluster's version and the target. Each is an update of its own, and only the last was checked.",
    remedy: '"preflight plan --to VERSION" checks each of them.',
  },
  {
    name: "PreflightNothingChecked",
    means: "None of the checks applies to this update, so nothing is known of it.",
    remedy: "Make sure that the target is the right one, and read its release notes.",
  },
];

export function formatUnseenRisk({ name, means, remedy }: UnseenExplanation, width: number): string {
  const rows = [
    { label: "Means", text: means },
    { label: "Remedy", text: remedy },
  ];
  return `${[...wrapText("", `${name}: ${UNSEEN_RISK_TITLES[name]}`, width), "", ...formatRows(rows, width)].join("\n")}\n`;
}
