import type { Context, Finding } from "../../model/check.ts";
import { quoteArgument } from "../../model/commands.ts";

/** What all findings agree on, as an argument in a remediation's command; otherwise a word that stands for it. */
export function nameOnly(
  get: (finding: Finding) => string | undefined,
  placeholder: string,
): (context?: Context, findings?: readonly Finding[]) => string {
  return (_, findings = []) => {
    const [only = "", ...others] = new Set(findings.map((finding) => get(finding) ?? ""));
    return only === "" || others.length > 0 ? placeholder : quoteArgument(only);
  };
}
