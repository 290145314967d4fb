import { type Expr, getChildren } from "../../schema/cel/index.ts";

/** What only decides: its value is true or false, whatever the time is made of. */
const DECIDING = new Set(["_<_", "_<=_", "_>_", "_>=_", "_==_", "_!=_", "_&&_", "_||_", "!_", "@in", "hasValue"]);

/** Whether the value is made of the time. What `now` only decides may be part of a text: it changes when the finding does. */
export function dependsOnTime(expr: Expr, timed: ReadonlySet<string>): boolean {
  if (expr.op === "ident") return timed.has(expr.name.replace(/^\./, ""));
  if (expr.op === "call" && DECIDING.has(expr.name)) return false;
  return listMaterial(expr).some((part) => dependsOnTime(part, timed));
}

function listMaterial(expr: Expr): readonly Expr[] {
  if (expr.op === "fold") return [expr.range, expr.init, expr.step, expr.result];
  return expr.op === "call" && expr.name === "_?_:_" ? expr.args.slice(1) : getChildren(expr);
}
