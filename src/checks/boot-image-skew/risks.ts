import type { Version } from "../../model/version.ts";
import { readRisks } from "../shared/risks.ts";
import { findLimit, formatLimit } from "./boot-image.ts";

export const risks = readRisks("boot-image-skew", {
  BootImageTooOld: { message: { least: (_, { target }) => formatLeast(target) } },
  BootImageUpdateFailing: {},
});

function formatLeast(target: Version): string {
  const limit = findLimit(target);
  return limit.kind === "none" ? "" : ` (at least ${formatLimit(limit.limit)})`;
}
