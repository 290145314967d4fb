import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import known from "./fields.json" with { type: "json" };
import { findOwn } from "../../src/model/json.ts";
import { sortNames } from "../../src/model/text.ts";

const GENERATED = join(import.meta.dirname, "../../node_modules/@kubernetes/client-node/dist/gen");

/**
 * The table of src/data-checks/kinds: what @kubernetes/client-node knows of Kubernetes' own kinds, and what `fields.json` adds. A type is
 * one text, "name replicas!:integer containers:[V1Container] labels:{string} type:(ClusterIP|NodePort)": a name alone is a text, "!" marks
 * what its schema requires, and "!!" what an API server refuses to be absent or empty. "ordinals@26" is known since Kubernetes 1.26, and "source@26-30" only up to 1.30.
 */
export function formatBuiltInKinds(): string {
  const kinds = listKinds();
  const types = new Map<string, string>();
  for (const { type } of kinds) addType(type, types);
  const ofVersions = Map.groupBy(kinds, ({ version }) => version);
  const rows = sortNames([...ofVersions.keys()]).map((version) => [version, formatVersion(ofVersions.get(version))]);
  const sorted = sortNames([...types.keys()]).map((name) => [name, types.get(name)]);
  const table = { minor: readMinor(), kinds: Object.fromEntries(rows), types: Object.fromEntries(sorted) };
  return `${JSON.stringify(table, undefined, 2)}\n`;
}

type Kind = {
  readonly version: string;
  readonly plural: string;
  readonly type: string;
  readonly isNamespaced: boolean;
};

/** "pods:V1Pod", and "nodes/V1Node" of a kind whose objects belong to no namespace. */
function formatVersion(kinds: readonly Kind[] = []): string {
  const texts = kinds.map(({ plural, type, isNamespaced }) => `${plural}${isNamespaced ? ":" : "/"}${type}`);
  return sortNames(texts).join(" ");
}

/** The kinds that a method lists, from the paths of these methods and what they give. */
function listKinds(): readonly Kind[] {
  return sortNames(globSync("apis/*Api.js", { cwd: GENERATED })).flatMap((file) => {
    const code = readFileSync(join(GENERATED, file), "utf8");
    const declared = readFileSync(join(GENERATED, file.replace(/\.js$/, ".d.ts")), "utf8");
    const found = [...code.matchAll(METHOD)].flatMap(
      ([, method = "", group = "core", version = "", scope, plural = ""]) => {
        const list = new RegExp(`\\b${method}WithHttpInfo\\(.*HttpInfo<(\\w+)List>`).exec(declared)?.[1];
        const name = group === "core" ? version : `${group}/${version}`;
        return list === undefined
          ? []
          : [{ version: name, plural, type: readItems(`${list}List`), isNamespaced: scope !== undefined }];
      },
    );
    // A kind with namespaces is also listed across all of them.
    return [...Map.groupBy(found, ({ version, plural }) => `${version}/${plural}`).values()].flatMap(
      (all) => all.find(({ isNamespaced }) => isNamespaced) ?? all[0] ?? [],
    );
  });
}

const METHOD =
  /async (list\w+)\([^]*?localVarPath = '\/(?:api|apis\/([^'/{]+))\/([^'/{]+)\/(namespaces\/\{namespace\}\/)?([^'/{]+)'/g;

function readItems(list: string): string {
  return (
    readFields(list)
      .find(({ name }) => name === "items")
      ?.type.replace(/^\[|\]$/g, "") ?? "any"
  );
}

function addType(type: string, types: Map<string, string>): void {
  const name = type.replaceAll(/[[\]{}]/g, "");
  if (!/^[A-Z]/.test(name) || types.has(name)) return;
  const fields = readFields(name);
  const added = readAdded(name);
  types.set(name, [...fields.map((field) => formatField(field, added)), ...formatFormer(added)].join(" "));
  for (const field of fields) addType(field.type, types);
}

type Field = { readonly name: string; readonly type: string; readonly isRequired: boolean };

function formatField({ name, type: declared, isRequired }: Field, added: readonly Added[]): string {
  const { minors = "", enforced = "", type: text = "string" } = added.find((one) => one.name === name) ?? {};
  const type = declared.replace("string", text);
  return `${name}${minors}${isRequired ? "!" : ""}${enforced}${type === "string" ? "" : `:${type}`}`;
}

type Added = { readonly name: string; readonly minors?: string; readonly enforced?: string; readonly type?: string };

/** What `fields.json` says of the fields of a type, in the words of the table: "resizePolicy@27 name!! type:(ClusterIP|NodePort)". */
function readAdded(owner: string): readonly Added[] {
  return [...(findOwn(known, owner) ?? "").matchAll(ADDED)].map(([, name = "", minors, enforced, type]) => ({
    name,
    minors,
    enforced,
    type,
  }));
}

const ADDED = /(\w+)(@[\d-]+)?(!!)?(?::(\S+))?/g;

/** The fields that were removed. */
function formatFormer(added: readonly Added[]): readonly string[] {
  const former = added.filter(({ minors }) => minors?.includes("-"));
  return former.map(({ name, minors }) => `${name}${minors}:any`);
}

function readFields(model: string): readonly Field[] {
  const code = readFileSync(join(GENERATED, "models", `${model}.js`), "utf8");
  const declared = readFileSync(join(GENERATED, "models", `${model}.d.ts`), "utf8");
  return [...code.matchAll(ATTRIBUTE)].map(([, own = "", name = "", type = "", format = ""]) => ({
    name,
    type: formatType(type, format),
    isRequired: declared.includes(`'${own}': `),
  }));
}

const ATTRIBUTE = /"name": "(.*)",\s+"baseName": "(.*)",\s+"type": "(.*)",\s+"format": "(.*)"/g;

function formatType(type: string, format: string): string {
  const item = /^Array<(.*)>$/.exec(type)?.[1];
  if (item !== undefined) return `[${formatType(item, format)}]`;
  const value = /^\{ \[key: string\]: (.*); \}$/.exec(type)?.[1];
  if (value !== undefined) return `{${formatType(value, format)}}`;
  if (type === "number") return findOwn(NUMBERS, format) ?? "integer";
  if (type === "IntOrString") return "numberOrText";
  // A field that holds anything.
  if (type === "object") return "any";
  if (type === "Date") return "time";
  return type === "V1MicroTime" ? "string" : format === "byte" ? "bytes" : type;
}

const NUMBERS: Readonly<Record<string, string>> = { double: "number", float: "number", int32: "int32" };

/** "OpenAPI spec version: release-1.36". */
function readMinor(): number {
  const code = readFileSync(join(GENERATED, "models", "V1Pod.js"), "utf8");
  return Number(/version: release-1\.(\d+)/.exec(code)?.[1]);
}
