import type { PreflightDocument } from "../../src/model/document.ts";
import { formatTime } from "../../src/model/time.ts";
import { buildSampleDocument, risk } from "../operator/status-sample.ts";
import type { Target } from "./update-service.ts";

type Times = { readonly observedAt: Date; readonly validUntil: Date };

/** The runner's document, with a risk. */
export function buildPlayedDocument({ source, version }: Target, { observedAt, validUntil }: Times): PreflightDocument {
  return buildSampleDocument([{ ...risk("A"), targetVersion: version }], {
    preflightID: `${formatTime(observedAt)}-preflight-${version}`,
    sourceVersion: source,
    targetVersion: version,
    observedAt: formatTime(observedAt),
    validUntil: formatTime(validUntil),
  });
}
