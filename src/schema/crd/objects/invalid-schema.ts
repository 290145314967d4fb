/** A schema that can't be compiled. `compileSchema` turns it into an InvalidSchema. */
export class InvalidSchemaError extends Error {
  override readonly name = "RefusedSchema";
}

/** Rejects the schema because of what is at `path`: ".properties[spec].items", "" for the schema itself. */
export function rejectSchema(path: string, why: string): never {
  throw new InvalidSchemaError(`${path === "" ? "the schema" : path.replace(/^\./, "")} ${why}`);
}
