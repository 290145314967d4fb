const ENTRY = /^export \{ default as "([a-z0-9-]+)" \} from/;

/** The text of src/checks/registry.ts with the line of one more check, in its place. */
export function addCheck(text: string, id: string): string {
  const lines = text.trimEnd().split("\n");
  const place = lines.findIndex((line) => (ENTRY.exec(line)?.[1] ?? "") > id);
  const entry = `export { default as "${id}" } from "./${id}/check.ts";`;
  return `${lines.toSpliced(place === -1 ? lines.length : place, 0, entry).join("\n")}\n`;
}
