import { quoteText } from "../../model/text.ts";

type Said = { readonly message: string; readonly hint: string };

/** What is wrong with a text that a function does not understand, and what to write. */
export function suggestConstant(name: string, text: string): Said | undefined {
  const row = Object.hasOwn(FUNCTIONS, name) ? FUNCTIONS[name] : undefined;
  return row && { message: `${quoteText(text, 40)} is not ${row.what}`, hint: row.suggest(text) };
}

type Row = { readonly what: string; readonly suggest: (text: string) => string };

const FUNCTIONS: Readonly<Record<string, Row>> = {
  quantity: { what: "an amount", suggest: suggestQuantity },
  cidr: { what: "a network", suggest: suggestNetwork },
  ip: { what: "an address", suggest: suggestAddress },
  semver: {
    what: "a version with three parts",
    suggest: (text) => `write version(${quoteText(text, 40)}), or all three parts: semver("1.2.0")`,
  },
  duration: { what: "a duration", suggest: suggestDuration },
  timestamp: { what: "a time", suggest: suggestTime },
  url: { what: "a URL", suggest: () => 'write it whole: "https://example.com/path"' },
  minor: { what: "a minor version", suggest: suggestMinor },
  version: { what: "a version", suggest: () => 'write its numbers, as in version("1.9") or version("1.9.3")' },
};

const BYTES = /^([\d.]+)\s*([kmgtp])i?b?$/i;

/** "10GB", "10 Gi", "512MiB" and "10g". */
function suggestQuantity(text: string): string {
  const [, number, unit = ""] = BYTES.exec(text.trim()) ?? [];
  if (number === undefined) return 'write it as Kubernetes does: "500m", "2" or "10Gi"';
  const decimal = unit.toLowerCase() === "k" ? "k" : unit.toUpperCase();
  return `write "${number}${unit.toUpperCase()}i" (powers of 1024) or "${number}${decimal}" (of 1000)`;
}

function suggestNetwork(text: string): string {
  return text.includes("/")
    ? 'write the address and the length of its prefix: "10.0.0.0/16"'
    : `add the length of its prefix: "${text.length < 40 ? text : "10.0.0.0"}/LENGTH"`;
}

function suggestAddress(text: string): string {
  return text.includes("/") ? "write cidr(...) for a network" : 'write all of its parts: "10.0.0.1"';
}

const HOURS: Readonly<Record<string, number>> = { d: 24, w: 168 };

function suggestDuration(text: string): string {
  const [, number = "", unit = ""] = /^(\d{1,4})\s*([dw])/.exec(text) ?? [];
  const hours = Number(number) * (HOURS[unit] ?? 0);
  return hours > 0 ? `hours are the longest unit: "${hours}h"` : 'give each number a unit: "90s", "15m" or "1h30m"';
}

function suggestTime(text: string): string {
  const [day] = /^\d{4}-\d\d-\d\d/.exec(text) ?? [];
  return `write day, time and zone: "${day ?? "2026-12-24"}T10:00:00Z"`;
}

export function suggestMinor(text: string): string {
  const [minor] = /\d{1,4}\.\d{1,4}/.exec(text) ?? [];
  return `write ${minor === undefined ? 'two numbers, as in "4.21"' : `"${minor}"`}`;
}
