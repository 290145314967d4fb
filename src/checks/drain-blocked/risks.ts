import type { Context, Finding } from "../../model/check.ts";
import type { Platform } from "../../model/target-version.ts";
import {
  buildObjectCommand,
  buildPatchCommand,
  buildPrefix,
  formatObjectArgument,
  quoteArgument,
} from "../../model/commands.ts";
import type { ObjectRef } from "../../model/resource.ts";
import { readRisks } from "../shared/risks.ts";

export const risks = readRisks("drain-blocked", {
  DrainBlockedByDisruptionBudget: { fixKind: "weakening", fix: buildLimitCommands },
  DisruptionBudgetExhausted: {
    see: ({ object }, { platform }) => [
      buildObjectCommand(platform, "get", object),
      `${buildPrefix(platform, object.namespace)} get pods`,
      `${buildPrefix(platform, object.namespace)} get events`,
    ],
  },
  DisruptionBudgetNotComputed: {
    fixKind: "weakening",
    fix: ({ object }, { platform }) => [buildMinAvailable(object, platform, "<number>")],
  },
  PodsInSeveralDisruptionBudgets: {
    see: ({ object, detail }, { platform }) =>
      [object, { ...object, name: detail?.["other"] ?? object.name }].map((ref) =>
        buildObjectCommand(platform, "get", ref),
      ),
    fixKind: "weakening",
    fix: ({ object }, { platform }) => [
      `${buildPrefix(platform, object.namespace)} delete ${formatObjectArgument({ ...object, name: "" })}<one-of-the-two>`,
    ],
  },
});

/** The limit that spares a pod; where the controllers' pods decide, the selector is a choice. */
function buildLimitCommands({ object, path, detail }: Finding, { platform }: Context): readonly string[] {
  if (path === "spec.selector") return [buildObjectCommand(platform, "edit", object)];
  const limit = detail?.["limit"] ?? "";
  if (limit === "maxUnavailable 1")
    return [buildPatchCommand(platform, object, { spec: { minAvailable: null, maxUnavailable: 1 } })];
  return [buildMinAvailable(object, platform, /^minAvailable (\d+)$/.exec(limit)?.[1] ?? "<number>")];
}

/** `<number>` is no JSON: the command fails until it is replaced. */
function buildMinAvailable(object: ObjectRef, platform: Platform, number: string): string {
  const patch = `{"spec":{"maxUnavailable":null,"minAvailable":${number}}}`;
  return `${buildPrefix(platform, object.namespace)} patch ${formatObjectArgument(object)} --type=merge -p ${quoteArgument(patch)}`;
}
