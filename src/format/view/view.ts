import type { JudgedAcceptance } from "../../model/acceptance.ts";
import type { PreflightDocument } from "../../model/document.ts";
import type { Report } from "../../model/report.ts";
import type { TargetOffer } from "../../model/route.ts";

/** A live cluster, a folder with a recorded one, or an archive. */
export type ClusterOrigin =
  | { readonly kind: "live"; readonly context: string; readonly server: string }
  | { readonly kind: "recorded"; readonly folder: string }
  /** `takenAt`: RFC 3339; absent if the archive does not say. */
  | { readonly kind: "must-gather"; readonly path: string; readonly takenAt?: string };

/** What is known of a risk on any cluster. */
export type RiskBackground = {
  /** The platforms and the updates that the check covers. */
  readonly concerns: string;
  /** The releases that have the fault, if they are known. */
  readonly releases: readonly string[];
  /** How sure the verdict is. */
  readonly certainty: string;
};

/** The input of a format: one completed cycle, and options of the output. */
export type View = {
  readonly report: Report;
  readonly document: PreflightDocument;
  /** Where the report's objects were read; absent if it does not matter. */
  readonly cluster?: ClusterOrigin;
  /** Whether what was not seen is reported as risks too, as it is by default. */
  readonly hasUnknownRisks?: boolean;
  /** Names of risks that the user has accepted. */
  readonly accepted: ReadonlySet<string>;
  /** Every acceptance and what became of it. */
  readonly acceptances?: readonly JudgedAcceptance[];
  /** How the update service offers the target, if that was read. */
  readonly offer?: TargetOffer;
  /** Whether the text may contain ANSI colours. */
  readonly colour: boolean;
  /** Whether the text may contain hyperlinks for a terminal. */
  readonly links?: boolean;
  /** By the names of the risks. */
  readonly backgrounds?: ReadonlyMap<string, RiskBackground>;
  /** The column at which text is wrapped. */
  readonly width: number;
  /** What the user calls this program; by default its own name. */
  readonly program?: string;
};

/** A pure function; its text ends with a line break, unless it is empty. */
export type Format = (view: View) => string;
