import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { toYaml } from "../../src/encoding/yaml.ts";
import type { JsonObject } from "../../src/model/json.ts";
import type { Random } from "../schema/random/random.ts";
import type { MadeObject } from "./make-objects.ts";

/** A file with the objects that it holds, in their order; one of them may have a fault. */
export type MadeFile = { readonly name: string; readonly text: string; readonly objects: readonly MadeObject[] };

type Form = {
  readonly ending: string;
  readonly most: number;
  readonly format: (objects: readonly MadeObject[]) => string;
};

const list = (objects: readonly MadeObject[]): JsonObject => ({
  apiVersion: "v1",
  kind: "List",
  items: objects.map(({ object }) => object),
});

const PLAIN: readonly [Form, ...Form[]] = [
  { ending: "yaml", most: 1, format: (objects) => objects.map(formatObject).join("---\n") },
  { ending: "yaml", most: 4, format: (objects) => `# Several\n${objects.map(formatObject).join("---\n")}` },
  { ending: "yaml", most: 6, format: (objects) => objects.map(formatRendered).join("") },
];
const OTHER: readonly [Form, ...Form[]] = [
  ...PLAIN,
  { ending: "yaml", most: 5, format: (objects) => toYaml(list(objects)) },
  { ending: "json", most: 1, format: (objects) => `${JSON.stringify(objects[0]?.object, undefined, 2)}\n` },
  { ending: "json", most: 3, format: (objects) => JSON.stringify(list(objects)) },
];

/** YAML of one object; a field that stands twice comes first with the value that doesn't count. */
export function formatObject({ object, repeat }: Pick<MadeObject, "object" | "repeat">): string {
  const text = toYaml(object);
  if (repeat === undefined) return text;
  const line = new RegExp(`^( *)${repeat.key}:`, "m");
  if (!line.test(text)) throw new Error(`there is no ${repeat.key} to repeat`);
  return text.replace(line, (found, indent) => `${indent}${repeat.key}: ${JSON.stringify(repeat.value)}\n${found}`);
}

/** As "helm template" writes it. */
function formatRendered(one: MadeObject, index: number): string {
  return `---\n# Source: shop/templates/part-${index}.yaml\n${formatObject(one)}`;
}

/** Puts objects into files of every form, at most one with a fault in each. */
export function arrange(objects: readonly MadeObject[], random: Random): readonly MadeFile[] {
  const right = objects.filter(({ planted }) => planted === undefined);
  const faulty = objects.filter(({ planted }) => planted !== undefined);
  const files: MadeFile[] = [];
  while (right.length + faulty.length > 0) {
    const first = faulty.shift();
    const { ending, most, format } = random.pick(first?.repeat === undefined ? OTHER : PLAIN);
    const room = most - (first === undefined ? 0 : 1);
    const others = right.splice(0, Math.min(room, right.length));
    const held = [...others, ...(first === undefined ? [] : [first])];
    if (held.length === 0) continue;
    files.push({ name: `${String(files.length).padStart(3, "0")}.${ending}`, text: format(held), objects: held });
  }
  return files;
}

export function writeFiles(folder: string, files: readonly Pick<MadeFile, "name" | "text">[]): void {
  mkdirSync(folder, { recursive: true });
  for (const { name, text } of files) writeFileSync(join(folder, name), text);
}

/** The same objects as documents of YAML, for a program that knows no lists. */
export function writeDocuments(folder: string, files: readonly MadeFile[]): void {
  const documents = ({ objects }: MadeFile): string => objects.map(formatObject).join("---\n");
  writeFiles(
    folder,
    files.map((file) => ({ name: toDocuments(file.name), text: documents(file) })),
  );
}

export function toDocuments(name: string): string {
  return name.replace(/json$/, "yaml");
}
