import { formatYaml } from "./yaml-format.ts";
import type { Expect } from "./expectation.ts";

/** Its line, those below it that are indented, and the empty ones between. */
const EXPECT = /^expect:.*(?:\n(?:[ \t]*\n)*[ \t]+\S.*)*\n?/m;

/** The text of a case with another `expect`; every other line stays as its author wrote it. */
export function withExpect(text: string, expect: Expect): string {
  const section = formatYaml({ expect: JSON.parse(JSON.stringify(expect)) });
  if (EXPECT.test(text)) return text.replace(EXPECT, () => section);
  return `${text}${text.endsWith("\n") ? "" : "\n"}${section}`;
}
