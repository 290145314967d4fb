import { formatCount } from "../../model/count.ts";
import type { Cell } from "./side-by-side.ts";

/** One word or two for a matrix. */
export function formatCell(cell: Cell): string {
  switch (cell.kind) {
    case "risk":
      return cell.isAccepted ? "accepted" : formatCount(cell.objects, "object");
    case "clear":
      return "-";
    case "unknown":
      return "unknown";
    case "notChecked":
      return "not checked";
  }
}
