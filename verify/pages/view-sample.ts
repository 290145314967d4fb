import { buildDocument } from "../../src/format/document/document.ts";
import type { View } from "../../src/format/view/view.ts";
import type { FixKind } from "../../src/model/commands.ts";
import { check, finding, report, risk, run } from "./sample.ts";
import { fullReport } from "./table-sample.ts";

/** The input of a format, with an accepted risk. */
export function buildView(of = fullReport(), more: Partial<View> = {}): View {
  const document = buildDocument({ result: { kind: "completed", report: of }, run });
  const acceptance = { risk: "DualStackNetworks", reason: "A <later> patch", until: "2026-12-31" };
  return {
    report: of,
    document,
    accepted: new Set(["DualStackNetworks"]),
    acceptances: [{ acceptance, state: { kind: "accepted" } }],
    cluster: { kind: "recorded", folder: "demo" },
    colour: false,
    width: 80,
    ...more,
  };
}

/** Text of a cluster that would do harm in one of the formats. */
const EVIL = `=1+1 ,"quoted" 'single' </failure><script>@team \`code\` [link](http://example.com) ::error::x\n::warning::y ]]> \u001b[2J`;

/** A report whose every text is foreign. */
export function buildEvilView(): View {
  const object = { apiVersion: "v1", kind: "Pod", namespace: "a", name: EVIL };
  const findings = [finding("A", { object, path: EVIL, message: EVIL, see: [EVIL], fix: [EVIL] })];
  const risks = [risk("A", { check: "a", title: EVIL, description: EVIL, remediation: EVIL })];
  return buildView(report({ checks: [check("a", { kind: "risk", findings, notices: [EVIL] })], risks }));
}

/** A risk with one fix. */
export function buildFixView(fix: string, fixKind: FixKind): View {
  const object = { apiVersion: "v1", kind: "Pod", namespace: "a", name: "b" };
  const findings = [finding("A", { object, fix: [fix], fixKind })];
  return buildView(
    report({ checks: [check("a", { kind: "risk", findings, notices: [] })], risks: [risk("A", { check: "a" })] }),
  );
}
