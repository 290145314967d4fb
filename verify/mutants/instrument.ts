import { parse } from "acorn";
import type { MutatedSource, Place } from "./mutation.ts";

/** What the instrumented files find in the process that runs them. */
export const SWITCHBOARD = "preflight.mutants";

/** One source with all its mutants; throws an error if that is no program. Each place asks which of them is on, and so tells that it was reached. */
export function instrument(file: string, { code, places }: MutatedSource): string {
  const indexed = places
    .map((place, index) => ({ ...place, index }))
    .toSorted((a, b) => a.start - b.start || b.end - a.end);
  const name = JSON.stringify(file);
  const opening = `const __at = globalThis[Symbol.for("${SWITCHBOARD}")].open(${name}, ${places.length}); `;
  const text = opening + emit(code, 0, code.length, indexed);
  // A file that is no program would pass for tests that cannot be loaded.
  parse(text, { ecmaVersion: "latest", sourceType: "module" });
  return text;
}

type IndexedPlace = Place & { readonly index: number };

/** `places`: those between start and end, the outer ones before the inner ones. */
function emit(code: string, start: number, end: number, places: readonly IndexedPlace[]): string {
  let text = "";
  let at = start;
  for (let index = 0; index < places.length;) {
    const place = places[index];
    if (place === undefined) break;
    const next = places.findIndex((other, position) => position > index && other.start >= place.end);
    const inner = places.slice(index + 1, next === -1 ? undefined : next);
    text += code.slice(at, place.start) + emitPlace(place, emit(code, place.start, place.end, inner));
    at = place.end;
    index = next === -1 ? places.length : next;
  }
  return text + code.slice(at, end);
}

function emitPlace({ index, variants }: IndexedPlace, original: string): string {
  const choices = variants.map(({ number, text }) => `__at(${index}) === ${number} ? (${text}) : `);
  return `(${choices.join("")}(${original}))`;
}
