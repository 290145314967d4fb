import { compilePattern } from "../../schema/openapi/index.ts";
import { isError, type Expr, type Span, nodesOf } from "../../schema/cel/index.ts";
import type { DocumentPlace, PlacedFault } from "../fault.ts";
import { VERSION_FUNCTIONS } from "../functions/versions.ts";

/** Arguments that are written down, and that no cluster makes right. */
export function findConstantFaults(syntax: Expr, place: DocumentPlace): readonly PlacedFault[] {
  return [...nodesOf(syntax)].flatMap((node): readonly PlacedFault[] => {
    if (node.op !== "call") return [];
    if (COMPARING.has(node.name) && node.args.some(isVersionText)) return [buildVersionFault(node, place)];
    const written = node.args.at(-1);
    if (written?.op !== "literal" || typeof written.value !== "string") return [];
    const message = judgeText(node.name, written.value);
    const { start, end } = written;
    return message === undefined ? [] : [{ severity: "error", place, message, span: { start, end } }];
  });
}

const COMPARING = new Set(["_<_", "_<=_", "_>_", "_>=_"]);

function isVersionText(expr: Expr): boolean {
  if (expr.op !== "select" || expr.operand.op !== "ident") return false;
  return ["source", "target"].includes(expr.operand.name) && ["version", "minor"].includes(expr.field);
}

/** "4.9" comes after "4.10". */
function buildVersionFault({ start, end }: Span, place: DocumentPlace): PlacedFault {
  const hint = 'write target.ordinal >= minor("4.20"), or version(target.version).isLessThan(version("4.20.3"))';
  return { severity: "error", place, message: "texts are compared letter by letter", hint, span: { start, end } };
}

function judgeText(name: string, text: string): string | undefined {
  if (name === "capture")
    return compilePattern(text).groupCount() > 1 ? "the pattern has more than one group: write (?:...)" : undefined;
  const parse = name === "crosses" ? "minor" : name;
  const value = parse === "minor" || parse === "version" ? VERSION_FUNCTIONS[parse]?.call?.([text]) : undefined;
  return value !== undefined && isError(value) ? value.text : undefined;
}
