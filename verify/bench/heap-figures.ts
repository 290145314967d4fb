/** Bytes that are alive in a heap: of the program's own values, and of what V8 keeps of its code. */
export type HeapFigures = { readonly objects: number; readonly code: number };

type Snapshot = {
  readonly snapshot: {
    readonly meta: { readonly node_fields: readonly string[]; readonly node_types: readonly [readonly string[]] };
  };
  readonly nodes: readonly number[];
};

/** Grows while V8 compiles what runs often. */
const CODE: ReadonlySet<string> = new Set(["code", "hidden", "object shape"]);

/** Reads a heap snapshot of V8. Throws if it is not whole. */
export function readHeap(text: string): HeapFigures {
  const { snapshot, nodes }: Snapshot = JSON.parse(text);
  const { node_fields: fields, node_types: types } = snapshot.meta;
  const size = fields.indexOf("self_size");
  const type = fields.indexOf("type");
  let objects = 0;
  let code = 0;
  for (let at = 0; at < nodes.length; at += fields.length) {
    const bytes = nodes[at + size] ?? 0;
    if (CODE.has(types[0][nodes[at + type] ?? 0] ?? "")) code += bytes;
    else objects += bytes;
  }
  return { objects, code };
}
