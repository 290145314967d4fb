import { type Finding, sortFindings } from "../../model/check.ts";
import { buildRefKey, formatRef } from "../../model/resource.ts";
import { formatCount } from "../../model/count.ts";
import { toLine } from "../../model/visible-text.ts";
import { wrapText } from "../text/wrapping.ts";

type Options = {
  /** What the risk says already. */
  readonly stated: string;
  /** The report leaves out some findings. */
  readonly isLimited: boolean;
  /** Every object, every fault of it and every detail. */
  readonly isWide: boolean;
  readonly width: number;
};

const MAX_OBJECTS = 5;
const MAX_PLACES = 3;
const LEAD = "    - ";
const DETAIL = " ".repeat(LEAD.length);

/** The objects that a risk affects, each with its faults and commands: a few by name, then the number of the others. */
export function formatAffectedObjects(findings: readonly Finding[], options: Options): readonly string[] {
  const objects = [...Map.groupBy(sortFindings(findings), ({ object }) => buildRefKey(object)).values()];
  const limit = options.isWide ? objects.length : MAX_OBJECTS;
  const named = objects.slice(0, limit).flatMap((places) => formatObject(places, options));
  const more = objects.length - limit;
  if (more <= 0) return named;
  const others = formatCount(more, "more object");
  const text = options.isLimited ? `and at least ${others} (these with -o json)` : `and ${others} (all with -o json)`;
  return [...named, ...wrapText(LEAD, text, options.width)];
}

function formatObject(findings: readonly Finding[], options: Options): readonly string[] {
  const [first] = findings;
  if (!first) return [];
  const lines = [...formatPlaces(findings, options), ...formatDetails(findings, options), ...formatCommands(findings)];
  return lines.length === 0 && !options.isWide
    ? []
    : [...wrapText(LEAD, formatRef(first.object), options.width), ...lines];
}

function formatPlaces(findings: readonly Finding[], { stated, isWide, width }: Options): readonly string[] {
  const places = findings.filter(({ message }) => !isStated(message, stated));
  const limit = isWide ? places.length : MAX_PLACES;
  const more = places.length - limit;
  return [
    ...places.slice(0, limit).flatMap(({ path, message }) => {
      return wrapText(DETAIL, path === undefined ? message : `${path}: ${message}`, width);
    }),
    ...(more > 0 ? wrapText(DETAIL, `and ${formatCount(more, "more place")} in it (all with -o json)`, width) : []),
  ];
}

/** What checks know besides the message, such as clients and nodes: "clients: system:serviceaccount:shop:sync". */
function formatDetails(findings: readonly Finding[], { isWide, width }: Options): readonly string[] {
  if (!isWide) return [];
  const details = findings.flatMap(({ detail = {} }) => Object.entries(detail));
  const lines = new Set(details.filter(([, text]) => text !== "").map(([name, text]) => `${name}: ${text}`));
  return [...lines].flatMap((line) => wrapText(DETAIL, line, width));
}

/** A risk of one object may repeat what its finding says, with another first letter and end. */
function isStated(message: string, stated: string): boolean {
  const core = message.trim().slice(1).replace(/\.$/, "");
  return core.length > 0 && stated.includes(core);
}

/** Never wrapped, so that they can be copied. */
function formatCommands(findings: readonly Finding[]): readonly string[] {
  const select = (name: "see" | "fix") => [...new Set(findings.flatMap((finding) => finding[name] ?? []))];
  const format = (lead: string) => (command: string) => `${DETAIL}${lead}  ${toLine(command)}`;
  return [...select("see").map(format("See")), ...select("fix").map(format("Fix"))];
}
