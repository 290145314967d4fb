import { formatYaml } from "../encoding/yaml-format.ts";
import type { Expect } from "./expectation.ts";

/** The line of `expect`, the indented lines below it, and the empty lines between them. */
const EXPECT = /^expect:.*(?:\n(?:[ \t]*\n)*[ \t]+\S.*)*\n?/m;

/** The text of a case with another `expect`; all other lines stay unchanged. */
export function withExpect(text: string, expect: Expect): string {
  const section = formatYaml({ expect: JSON.parse(JSON.stringify(expect)) });
  if (EXPECT.test(text)) return text.replace(EXPECT, () => section);
  return `${text}${text.endsWith("\n") ? "" : "\n"}${section}`;
}
