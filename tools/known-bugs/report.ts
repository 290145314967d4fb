import { summarizeNames, quote } from "../../src/model/text.ts";
import type { Version } from "../../src/model/version.ts";
import type { Difference, UncoveredUpdate } from "./differences.ts";

const MAX_QUOTE_LENGTH = 160;

/** One line for each difference: the kind, the published name, and what the table lacks. */
export function formatDifference(difference: Difference): string {
  const { kind, name } = difference;
  return `${kind.padEnd("widened".length)}  ${name}: ${describe(difference)}`;
}

function describe(difference: Difference): string {
  switch (difference.kind) {
    case "new": {
      const { url, message } = difference.edge;
      return `published for ${formatVersions(difference.targets)}, and no check covers it: "${quote(message, MAX_QUOTE_LENGTH)}" (${url})`;
    }
    case "widened":
      return `no entry covers the updates to ${difference.updates.map(formatUpdate).join("; ")}`;
    case "fixed":
      return `fixed in ${difference.fixedIn}, which no entry names`;
    case "gone":
      return "no longer published: remove it if its releases are out of support";
  }
}

function formatUpdate({ target, sources }: UncoveredUpdate): string {
  return sources.length === 0 ? target.text : `${target.text} from ${formatVersions(sources)}`;
}

function formatVersions(versions: readonly Version[]): string {
  return summarizeNames(versions.map(({ text }) => text));
}
