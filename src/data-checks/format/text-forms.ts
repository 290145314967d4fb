export const ID_FORM = "it must have small letters and digits, in words joined by dashes";
export const VALUE_NAME_FORM = "names begin with a small letter and have letters and digits, at most 40";

/** What has a name: a risk, an object, a check, or a value of a check. */
const NAME_FORMS = {
  risk: { description: "it must be in PascalCase, with 3 to 60 letters and digits", capitals: "all" },
  object: { description: "it must be NAME or NAMESPACE/NAME", capitals: "none" },
  check: { description: ID_FORM, capitals: "none" },
  value: { description: VALUE_NAME_FORM, capitals: "inner" },
} as const;

function findNameForm(pattern: string): keyof typeof NAME_FORMS {
  if (pattern.startsWith("^[A-Z]")) return "risk";
  if (pattern.includes("/")) return "object";
  return pattern.includes("(?:-") ? "check" : "value";
}

/** What a name with this pattern has to be. */
export function describeName(pattern: string): string {
  return NAME_FORMS[findNameForm(pattern)].description;
}

/** The nearest text of the right form, for a field with this pattern; it need not match. */
export function correctText(field: string | undefined, text: string, pattern: string): string | undefined {
  if (field === "url") return text.replace(/^(?:http:\/\/)?/, "https://");
  if (field === "list" || field === "get") return correctKind(text);
  return field === "name" ? correctName(text, NAME_FORMS[findNameForm(pattern)].capitals) : undefined;
}

/** The same words in another form: with capitals at all of them, at all but the first, or with dashes between them. */
function correctName(text: string, capitals: "all" | "inner" | "none"): string {
  const words = text.replaceAll(/(?<=[a-z])(?=[A-Z])/g, "-").split(/[-_ ]+/);
  if (capitals === "none") return words.join("-").toLowerCase();
  const [first = "", ...others] = words.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1));
  return [capitals === "all" ? first : first.slice(0, 1).toLowerCase() + first.slice(1), ...others].join("");
}

/** "deployments.apps", as in rights, and "apps/v1/Deployment", as in manifests. */
function correctKind(text: string): string | undefined {
  const [, version, kind] = /^(.*\/)?([A-Z][A-Za-z]*)$/.exec(text) ?? [];
  if (kind !== undefined) return `${version ?? "v1/"}${formatPlural(kind.toLowerCase())}`;
  const [, resource, group] = /^([a-z]+)\.([a-z0-9.-]+)$/.exec(text) ?? [];
  if (resource !== undefined) return `${group}/v1/${resource}`;
  return /^[a-z]+$/.test(text) ? `v1/${text}` : undefined;
}

function formatPlural(kind: string): string {
  if (/(?:ss|us|dns|x|ch|sh)$/.test(kind)) return `${kind}es`;
  if (kind.endsWith("s")) return kind;
  return /[^aeiou]y$/.test(kind) ? `${kind.slice(0, -1)}ies` : `${kind}s`;
}
