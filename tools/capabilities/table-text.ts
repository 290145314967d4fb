import type { CapabilityTable } from "../../src/model/capabilities.ts";

const LINE_LENGTH = 120;

/** The table as its file has it: a line for each entry, or for each field of one that is too long. */
export function formatTable({ source, capabilities, namedSets }: CapabilityTable): string {
  const entries = capabilities.map(formatEntry).join(",\n");
  return `{\n  "source": ${JSON.stringify(source)},\n  "capabilities": [\n${entries}\n  ],\n  "namedSets": ${formatLine(namedSets)}\n}\n`;
}

function formatEntry(entry: CapabilityTable["capabilities"][number]): string {
  const line = `    ${formatLine(entry)}`;
  if (line.length < LINE_LENGTH) return line;
  const fields = Object.entries(entry).map(([key, value]) => `      ${JSON.stringify(key)}: ${formatLine(value)}`);
  return `    {\n${fields.join(",\n")}\n    }`;
}

function formatLine(value: object | string): string {
  return JSON.stringify(value, null, 1)
    .replaceAll(/\n\s*/g, " ")
    .replaceAll(/\[ | \]/g, (bracket) => bracket.trim());
}
