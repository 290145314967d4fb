import { parseJson } from "../../model/json.ts";
/** Replaces values that only the running operator knows; none of them affects whether or how a manifest applies. */
const PLACEHOLDER = "rendered";
const FIELD_VALUES: ReadonlyMap<string, string> = new Map([
  ["ReleaseImage", PLACEHOLDER],
  ["ClusterProfile", "self-managed-high-availability"],
]);

/** One action of a Go template in a form that can be rendered: a field, an image's name, a quoted text, a comment. */
const ACTION =
  /\{\{(?<trimBefore>- )?\s*(?:\.(?<field>\w+)|(?<image>index \.Images (?:"[^"\n]*"|`[^`]*`))|(?<quoted>"(?:[^"\\\n]|\\.)*")|`(?<raw>[^`]*)`|(?<comment>\/\*[^]*?\*\/))\s*(?<trimAfter> -)?\}\}/y;

/**
 * Renders the cluster-version operator's own manifests, which are templates. Undefined for anything beyond simple actions (conditions,
 * loops, unknown values), which only the operator can render.
 */
export function renderTemplate(template: string): string | undefined {
  let rendered = "";
  let end = 0;
  for (;;) {
    const start = template.indexOf("{{", end);
    if (start < 0) return rendered + template.slice(end);
    ACTION.lastIndex = start;
    const action = ACTION.exec(template);
    const value = action?.groups && evaluateAction(action.groups);
    if (!action?.groups || value === undefined) return undefined;
    const before = template.slice(end, start);
    rendered += (action.groups["trimBefore"] ? trimEnd(before) : before) + value;
    end = action.index + action[0].length;
    if (action.groups["trimAfter"]) end = skipWhitespace(template, end);
  }
}

function evaluateAction(action: Readonly<Record<string, string | undefined>>): string | undefined {
  const { field, image, quoted, raw } = action;
  if (field !== undefined) return FIELD_VALUES.get(field);
  if (image !== undefined) return PLACEHOLDER;
  return quoted === undefined ? (raw ?? "") : unquote(quoted);
}

function unquote(text: string): string | undefined {
  const value = parseJson(text);
  return typeof value === "string" ? value : undefined;
}

const WHITESPACE = new Set([" ", "\t", "\r", "\n"]);

/** A regular expression for trailing blanks would take quadratic time. */
function trimEnd(text: string): string {
  let end = text.length;
  while (WHITESPACE.has(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

function skipWhitespace(text: string, from: number): number {
  let end = from;
  while (WHITESPACE.has(text.charAt(end))) end += 1;
  return end;
}
