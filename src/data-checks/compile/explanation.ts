import type { ExpressionFault } from "../../schema/cel/index.ts";
import type { PlacedFault } from "../fault.ts";
import type { Names } from "./names.ts";

/** What is said of a fault, and the part of the text that it marks. */
export type Explanation = Required<Pick<PlacedFault, "message" | "span">> & Pick<PlacedFault, "hint">;

/** A fault of an expression in a text. `later`: the variables that are declared after it. */
export type FaultyText = {
  readonly text: string;
  readonly fault: ExpressionFault;
  readonly names: Names;
  readonly later: readonly string[];
};
