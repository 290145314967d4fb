import type { Unknown } from "../model/check.ts";

/** A text that may hold checks; `name` as people know it: a path, or "ConfigMap NAMESPACE/preflight-checks KEY". */
export type CheckText = { readonly name: string; readonly text: string };

/** A place in a check's document: its keys and indexes from the root. */
export type DocumentPlace = readonly (string | number)[];

/** What is wrong at a place; with `span` (UTF-16 units) at a part of the text there. */
export type PlacedFault = {
  readonly severity: "error" | "warning";
  readonly place: DocumentPlace;
  readonly message: string;
  readonly hint?: string;
  readonly span?: { readonly start: number; readonly end: number };
  /** It is about the key, not about what stands there. */
  readonly isKey?: true;
};

/** A fault as an editor shows it. Lines and columns count from 1, columns and `length` in UTF-16 units. */
export type CheckFault = Pick<PlacedFault, "severity" | "message" | "hint"> & {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly length: number;
  /** "spec.reads.sets.where" */
  readonly place: string;
  readonly lineText: string;
  /** Set if it is no mistake of the check: what is unknown then. */
  readonly unknown?: Unknown;
};

export function formatPlace(place: DocumentPlace): string {
  return place
    .map((step) => (typeof step === "number" ? `[${step}]` : `.${step}`))
    .join("")
    .replace(/^\./, "");
}

/** With the line, and what is wrong in it marked. */
export function formatFault({ file, line, column, length, place, message, hint, lineText }: CheckFault): string {
  const number = String(line).padStart(5);
  const mark = `${" ".repeat(number.length)} | ${lineText.slice(0, column - 1).replaceAll(/[^\t]/g, " ")}${"^".repeat(Math.max(length, 1))}`;
  const where = place === "" ? "" : `${place}: `;
  return [
    `${file}:${line}:${column}: ${where}${message}`,
    `${number} | ${lineText}`,
    `${mark}${hint === undefined ? "" : ` ${hint}`}`,
  ].join("\n");
}
