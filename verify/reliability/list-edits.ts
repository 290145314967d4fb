import { isObject, type JsonObject, listAt, objectAt, textAt } from "../../src/model/json.ts";

/** What a proxy, or a hand, may make of a list that has objects, so that the list shows it. */
export type ListEdit = {
  readonly name: string;
  /** Undefined if it changes nothing of this list. */
  readonly edit: (list: JsonObject) => JsonObject | undefined;
  /** Why the list is then a failed read. */
  readonly reason: "Incomplete" | "NotUnderstood";
  /** An API server's page may say so, and mean a next page. */
  readonly isOfFiles?: true;
};

export const LIST_EDITS: readonly ListEdit[] = [
  { name: "a list that lacks an object and counts it as remaining", edit: cut, reason: "Incomplete" },
  { name: "an empty list with objects remaining", edit: empty, reason: "Incomplete" },
  { name: "an object twice in the list", edit: repeat, reason: "Incomplete" },
  { name: "an object without a name", edit: removeName, reason: "Incomplete" },
  { name: "an object without anything", edit: addEmpty, reason: "Incomplete" },
  { name: "the objects in a list of another kind", edit: renameKind, reason: "NotUnderstood" },
  { name: "the objects in a list of another version", edit: renameVersion, reason: "NotUnderstood" },
  { name: "a list that ends with a continue token", edit: continueLater, reason: "Incomplete", isOfFiles: true },
];

function cut(list: JsonObject): JsonObject | undefined {
  return change(list, (items) => ({ items: items.slice(0, -1), metadata: { remainingItemCount: 1 } }));
}

function empty(list: JsonObject): JsonObject | undefined {
  return change(list, (items) => ({ items: [], metadata: { remainingItemCount: items.length } }));
}

function repeat(list: JsonObject): JsonObject | undefined {
  return change(list, (items) => ({ items: [...items, ...items.slice(0, 1)] }));
}

function removeName(list: JsonObject): JsonObject | undefined {
  return change(list, ([first = {}, ...others]) => {
    const { name: _name, ...metadata } = objectAt(first, "metadata");
    return { items: [{ ...first, metadata }, ...others] };
  });
}

/** It inherits the list's kind, if that has one. */
function addEmpty(list: JsonObject): JsonObject | undefined {
  return change(list, (items) => {
    const { apiVersion = "", kind = "" } = items[0] ?? {};
    return { items: [{ apiVersion, kind }, ...items.slice(1)] };
  });
}

function renameKind(list: JsonObject): JsonObject | undefined {
  return change(list, (items) => ({ apiVersion: textAt(items[0], "apiVersion") ?? "v1", kind: "FooList" }));
}

function renameVersion(list: JsonObject): JsonObject | undefined {
  return change(list, (items) => ({
    apiVersion: `${textAt(items[0], "apiVersion") ?? "v1"}beta9`,
    kind: `${textAt(items[0], "kind") ?? ""}List`,
  }));
}

function continueLater(list: JsonObject): JsonObject | undefined {
  return change(list, (items) => ({ items: items.slice(0, -1), metadata: { continue: "next" } }));
}

function change(list: JsonObject, build: (items: readonly JsonObject[]) => JsonObject): JsonObject | undefined {
  const items = listAt(list, "items").filter(isObject);
  return items.length === 0 ? undefined : { ...list, ...build(items) };
}
