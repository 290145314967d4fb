import { buildCheckName } from "../../../../model/check.ts";

/** The forms of a check's name: "my-check", "MyCheck". */
export type CheckNames = { readonly id: string; readonly name: string };

const ID = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/;
const MAX_LENGTH = 40;

/** The names of a check, or one line that explains why the id is refused. */
export function buildCheckNames(id: string): CheckNames | { readonly refused: string } {
  if (!ID.test(id) || id.length > MAX_LENGTH)
    return {
      refused: `"${id}" is not a valid id: use lowercase letters, digits and hyphens, such as kubelet-skew`,
    };
  return { id, name: buildCheckName(id) };
}
